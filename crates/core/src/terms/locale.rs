//! RFC 4647 lookup: chooses which of a term's languages a person gets.

use super::term::Variant;

/// More ranges than any browser sends; further ones are ignored.
const RANGES_MAX: usize = 32;

/// Parses an `Accept-Language` header into ranges, most preferred first. Ranges with `q=0` and
/// malformed ones are dropped.
pub fn language_ranges(header: &str) -> Vec<&str> {
    let mut ranges: Vec<(u32, &str)> = header
        .split(',')
        .take(RANGES_MAX)
        .filter_map(|part| {
            let (range, weight) = part.split_once(';').unwrap_or((part, ""));
            let range = range.trim();
            let well_formed = !range.is_empty()
                && range.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'*');
            let weight = thousandths(weight)?;
            (well_formed && weight > 0).then_some((weight, range))
        })
        .collect();
    // The sort is stable: ranges of equal weight keep the order of the header.
    ranges.sort_by_key(|&(weight, _)| std::cmp::Reverse(weight));
    ranges.into_iter().map(|(_, range)| range).collect()
}

/// Returns whether the text is a language tag (RFC 5646). It checks only what a lookup needs:
/// groups of 1 to 8 letters and digits.
pub fn is_language_tag(text: &str) -> bool {
    let mut parts = text.split('-');
    let language = parts.next().unwrap_or_default();
    (2..=8).contains(&language.len())
        && language.bytes().all(|byte| byte.is_ascii_alphabetic())
        && parts.all(|part| {
            (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
        })
        && text.len() <= 35
}

fn thousandths(weight: &str) -> Option<u32> {
    let weight = weight.trim();
    if weight.is_empty() {
        return Some(1000);
    }
    let value: f32 =
        weight.strip_prefix("q=").or_else(|| weight.strip_prefix("Q="))?.trim().parse().ok()?;
    (0.0..=1.0).contains(&value).then_some((value * 1000.0).round() as u32)
}

/// Returns the variant for the first range that matches (`de-AT-1901`, then `de-AT`, then `de`),
/// otherwise the default, which is the first variant. `*` alone matches nothing (RFC 4647 §3.4).
pub fn choose_locale<'a>(ranges: &[&str], variants: &'a [Variant]) -> Option<&'a Variant> {
    ranges.iter().find_map(|range| lookup(range, variants)).or_else(|| variants.first())
}

fn lookup<'a>(range: &str, variants: &'a [Variant]) -> Option<&'a Variant> {
    let mut range = range;
    loop {
        if let Some(variant) =
            variants.iter().find(|candidate| candidate.locale.eq_ignore_ascii_case(range))
        {
            return Some(variant);
        }
        range = range.rsplit_once('-')?.0;
        // A single letter introduces an extension. It is removed together with that extension.
        if range.len() >= 2 && range.as_bytes()[range.len() - 2] == b'-' {
            range = &range[..range.len() - 2];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Variant, choose_locale, language_ranges};

    fn variants(locales: &[&str]) -> Vec<Variant> {
        locales
            .iter()
            .map(|locale| Variant {
                locale: (*locale).into(),
                title: String::new(),
                sha256: String::new(),
                summary: None,
            })
            .collect()
    }

    fn chosen(header: &str, locales: &[&str]) -> String {
        let variants = variants(locales);
        choose_locale(&language_ranges(header), &variants).expect("a default").locale.clone()
    }

    #[test]
    fn lookup_falls_back_part_by_part_and_then_to_the_default() {
        let locales = ["en", "de", "ar", "zh-Hant"];
        for (header, expected) in [
            ("", "en"),
            ("*", "en"),
            ("fr", "en"),
            ("fr, de;q=0.5", "de"),
            ("de;q=0.5, ar;q=0.9", "ar"),
            ("de-AT-1901", "de"),
            ("AR-eg", "ar"),
            ("zh-Hant-TW-x-private", "zh-Hant"),
            ("zh", "en"),
            ("de;q=0, ar;q=0.1", "ar"),
            ("de;q=abc, ar", "ar"),
            ("de;q=7, ar", "ar"),
            ("!!!, ar", "ar"),
        ] {
            assert_eq!(chosen(header, &locales), expected, "{header:?}");
        }
    }
}
