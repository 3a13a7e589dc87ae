//! Versions with the precedence of semver.org.

use std::cmp::Ordering;

/// The numbers of a version, and the range of its pre-release identifiers in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::flags) struct Version {
    numbers: [u64; 3],
    pre: (u32, u32),
}

impl Version {
    /// Parses a version of semver 2.0.0: three numbers without leading zeros, pre-release, build.
    #[inline]
    pub fn parse(text: &str) -> Option<Self> {
        Self::parse_release(text.as_bytes()).or_else(|| Self::parse_any(text))
    }

    /// Parses three numbers of at most 18 digits and nothing else. Nearly all versions have this
    /// form.
    #[inline]
    fn parse_release(text: &[u8]) -> Option<Self> {
        let mut numbers = [0_u64; 3];
        let mut at = 0;
        for (index, number) in numbers.iter_mut().enumerate() {
            if index > 0 {
                if text.get(at) != Some(&b'.') {
                    return None;
                }
                at += 1;
            }
            let start = at;
            while let Some(digit) = text.get(at).filter(|byte| byte.is_ascii_digit()) {
                *number = number.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
                at += 1;
            }
            let digits = at - start;
            if digits == 0 || digits > 18 || digits > 1 && text[start] == b'0' {
                return None;
            }
        }
        (at == text.len()).then_some(Self { numbers, pre: (0, 0) })
    }

    fn parse_any(text: &str) -> Option<Self> {
        let (core_and_pre, build) = match text.split_once('+') {
            Some((before, build)) => (before, Some(build)),
            None => (text, None),
        };
        let (core, pre) = match core_and_pre.split_once('-') {
            Some((core, pre)) => (core, Some(pre)),
            None => (core_and_pre, None),
        };
        if build.is_some_and(|build| !build.split('.').all(is_identifier)) {
            return None;
        }
        let ordered = |identifier: &str| {
            is_identifier(identifier) && !(is_number(identifier) && has_leading_zero(identifier))
        };
        if pre.is_some_and(|pre| !pre.split('.').all(ordered)) {
            return None;
        }
        let mut parts = core.split('.');
        let mut numbers = [0; 3];
        for number in &mut numbers {
            let part = parts.next().filter(|part| is_number(part) && !has_leading_zero(part))?;
            *number = part.parse().ok()?;
        }
        let pre_start = u32::try_from(core.len() + 1).ok()?;
        let pre = pre.map_or((0, 0), |pre| (pre_start, pre_start + pre.len() as u32));
        parts.next().is_none().then_some(Self { numbers, pre })
    }

    /// Compares the precedence. The texts must be those that the versions were parsed from.
    #[inline]
    pub fn cmp(&self, text: &str, other: &Self, other_text: &str) -> Ordering {
        // The numbers are compared one at a time, because comparing the arrays would compile to a
        // loop.
        let (one, two) = (&self.numbers, &other.numbers);
        if one[0] != two[0] {
            one[0].cmp(&two[0])
        } else if one[1] != two[1] {
            one[1].cmp(&two[1])
        } else if one[2] != two[2] {
            one[2].cmp(&two[2])
        } else if self.pre == (0, 0) && other.pre == (0, 0) {
            Ordering::Equal
        } else {
            cmp_pre(self.pre_in(text), other.pre_in(other_text))
        }
    }

    fn pre_in<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.pre.0 as usize..self.pre.1 as usize).unwrap_or_default()
    }
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn has_leading_zero(text: &str) -> bool {
    text.len() > 1 && text.starts_with('0')
}

/// Compares pre-releases. A version without a pre-release is higher than those with one.
#[cold]
fn cmp_pre(one: &str, other: &str) -> Ordering {
    match (one.is_empty(), other.is_empty()) {
        (true, true) => return Ordering::Equal,
        (true, false) => return Ordering::Greater,
        (false, true) => return Ordering::Less,
        (false, false) => {}
    }
    let (mut ones, mut others) = (one.split('.'), other.split('.'));
    loop {
        let order = match (ones.next(), others.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => Ordering::Less,
            (Some(_), None) => Ordering::Greater,
            (Some(one), Some(other)) => cmp_identifier(one, other),
        };
        if order.is_ne() {
            return order;
        }
    }
}

/// Compares identifiers. Numbers may have any size and are lower than words.
fn cmp_identifier(one: &str, other: &str) -> Ordering {
    match (is_number(one), is_number(other)) {
        (true, true) => one.len().cmp(&other.len()).then_with(|| one.cmp(other)),
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        (false, false) => one.cmp(other),
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::Version;

    #[test]
    fn orders_versions_like_semver_org() {
        let in_order = [
            "0.0.0",
            "0.9.10",
            "1.0.0-0",
            "1.0.0-99999999999999999999999",
            "1.0.0-alpha",
            "1.0.0-alpha.1",
            "1.0.0-alpha.beta",
            "1.0.0-beta",
            "1.0.0-beta.2",
            "1.0.0-beta.11",
            "1.0.0-rc.1",
            "1.0.0",
            "1.2.9",
            "1.10.0",
            "18446744073709551615.0.0",
        ];
        for (at, one) in in_order.iter().enumerate() {
            for (other_at, other) in in_order.iter().enumerate() {
                let versions = (Version::parse(one), Version::parse(other));
                let (a, b) = (versions.0.expect(one), versions.1.expect(other));
                assert_eq!(a.cmp(one, &b, other), at.cmp(&other_at), "{one} and {other}");
            }
        }
    }

    #[test]
    fn the_build_does_not_affect_the_order() {
        let (one, other) = ("1.2.3+build.5", "1.2.3+001");
        let versions = (Version::parse(one), Version::parse(other));
        let (a, b) = (versions.0.expect("valid"), versions.1.expect("valid"));
        assert_eq!(a.cmp(one, &b, other), Ordering::Equal);
    }

    #[test]
    fn rejects_malformed_versions() {
        for text in [
            "",
            "1",
            "1.2",
            "1.2.3.4",
            "v1.2.3",
            "01.2.3",
            "1.2.03",
            "1.2.3-",
            "1.2.3-01",
            "1.2.3-a..b",
            "1.2.3+",
            "1.2.3+a+b",
            "1.2.-3",
            "1.2.3 ",
            "1.2.３",
            "18446744073709551616.0.0",
        ] {
            assert_eq!(Version::parse(text), None, "{text:?}");
        }
    }
}
