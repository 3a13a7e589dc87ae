//! Which of the available languages a person gets: RFC 4647 lookup, then the closest tag of the same language as in
//! CLDR's language matching. `testdata/languages.json` has the cases, which the packages check as well.

use std::cmp::Reverse;

use super::term::Variant;

/// More ranges than any browser sends; the rest is ignored.
const RANGES_MAX: usize = 32;

/// Returns the ranges of an `Accept-Language` header, the most wanted first, without those of `q=0` and those that are
/// malformed.
pub fn language_ranges(header: &str) -> Vec<&str> {
    let mut ranges: Vec<(u32, &str)> = header
        .split(',')
        .take(RANGES_MAX)
        .filter_map(|part| {
            let (range, weight) = part.split_once(';').unwrap_or((part, ""));
            let range = range.trim();
            let is_tag_byte = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'*');
            let is_range = !range.is_empty() && range.bytes().all(is_tag_byte);
            let weight = thousandths(weight)?;
            (is_range && weight > 0).then_some((weight, range))
        })
        .collect();
    // Stable: ranges of the same weight keep the order of the header.
    ranges.sort_by_key(|&(weight, _)| Reverse(weight));
    ranges.into_iter().map(|(_, range)| range).collect()
}

/// Whether a text is a language tag: RFC 5646 as far as a lookup needs it, in groups of 1 to 8 letters and digits.
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

/// Reads the weight of a range: `q=0.5`, with spaces as some clients send it.
fn thousandths(weight: &str) -> Option<u32> {
    let weight = weight.trim();
    if weight.is_empty() {
        return Some(1000);
    }
    let (name, value) = weight.split_once('=')?;
    let value: f32 = value.trim().parse().ok().filter(|_| name.trim().eq_ignore_ascii_case("q"))?;
    (0.0..=1.0).contains(&value).then_some((value * 1000.0).round() as u32)
}

/// Returns the variant in the best language, or the first one, which is the default.
pub fn choose_locale<'a>(ranges: &[&str], variants: &'a [Variant]) -> Option<&'a Variant> {
    choose_language(ranges, variants, |variant| &variant.locale).or_else(|| variants.first())
}

/// Returns the item in the best language, if one fits. `*` alone wants nothing (RFC 4647 §3.4).
pub fn choose_language<'a, T>(
    ranges: &[&str],
    items: &'a [T],
    tag: impl Fn(&T) -> &str,
) -> Option<&'a T> {
    let ranges: Vec<String> =
        ranges.iter().map(|range| range.replace('_', "-").to_ascii_lowercase()).collect();
    let lookup = |range: &str| lookup_language(range, items, &tag);
    let closest = |range: &str| {
        let range = Parts::of(range);
        let same = items.iter().filter(|item| Parts::of(tag(item)).language == range.language);
        same.min_by_key(|item| range.distance(&Parts::of(tag(item))))
    };
    let related = |range: &str| closest(related_language(&Parts::of(range).language)?);
    ranges
        .iter()
        .find_map(|range| lookup(range).or_else(|| closest(range)))
        .or_else(|| ranges.iter().find_map(|range| related(range)))
}

/// Returns the item with the tag that a lookup finds (RFC 4647 §3.4): that of the range, or of the
/// range without its last parts.
pub fn lookup_language<'a, T>(
    range: &str,
    items: &'a [T],
    tag: impl Fn(&T) -> &str,
) -> Option<&'a T> {
    let mut shortened = Some(range);
    std::iter::from_fn(|| {
        let range = shortened?;
        shortened = parent(range);
        Some(range)
    })
    .find_map(|range| items.iter().find(|item| tag(item).eq_ignore_ascii_case(range)))
}

/// Returns a range without its last part.
fn parent(range: &str) -> Option<&str> {
    let shorter = range.rsplit_once('-')?.0;
    // A single letter introduces an extension and goes with what it introduced.
    let is_singleton = shorter.len() >= 2 && shorter.as_bytes()[shorter.len() - 2] == b'-';
    Some(if is_singleton { &shorter[..shorter.len() - 2] } else { shorter })
}

/// The parts of a language tag that count for a match.
struct Parts {
    language: String,
    script: String,
    region: String,
}

impl Parts {
    fn of(tag: &str) -> Self {
        let tag = tag.to_ascii_lowercase();
        let mut parts = tag.split('-');
        let language = match parts.next().unwrap_or_default() {
            "iw" => "he",
            "in" => "id",
            "ji" => "yi",
            "mo" => "ro",
            "tl" => "fil",
            "no" | "nn" => "nb",
            language => language,
        };
        // Extensions begin with a single letter.
        let rest: Vec<&str> = parts.take_while(|part| part.len() > 1).collect();
        let is_script =
            |part: &&str| part.len() == 4 && part.bytes().all(|b| b.is_ascii_alphabetic());
        let is_region = |part: &&str| {
            (part.len() == 2 && part.bytes().all(|b| b.is_ascii_alphabetic()))
                || (part.len() == 3 && part.bytes().all(|b| b.is_ascii_digit()))
        };
        let region = rest.iter().copied().find(is_region).unwrap_or_default();
        let script = rest.iter().copied().find(is_script);
        Self {
            script: script.unwrap_or_else(|| likely_script(language, region)).to_owned(),
            language: language.to_owned(),
            region: region.to_owned(),
        }
    }

    /// The script counts most, then the group of regions, then the region.
    fn distance(&self, other: &Self) -> (bool, bool, u8) {
        let group = self.region_group();
        let region = match other.region.as_str() {
            region if region == self.region => 0,
            region if region.is_empty() || region == group => 1,
            _ => 2,
        };
        (self.script != other.script, group != other.region_group(), region)
    }

    /// Regions whose speakers understand each other's variety best, as CLDR's parent locales group them.
    fn region_group(&self) -> &'static str {
        let region = self.region.as_str();
        match self.language.as_str() {
            "en" if matches!(
                region,
                "" | "us" | "as" | "gu" | "mp" | "ph" | "pr" | "um" | "vi"
            ) =>
            {
                "us"
            }
            "en" => "001",
            "es" if matches!(region, "" | "es" | "ea" | "gq" | "ic" | "ph") => "es",
            "es" => "419",
            "pt" if matches!(region, "" | "br") => "br",
            "pt" => "pt",
            "zh" if matches!(region, "hk" | "mo") => "hk",
            _ => "",
        }
    }
}

/// The script of a language that is written in several, where the tag does not name it.
fn likely_script(language: &str, region: &str) -> &'static str {
    match (language, region) {
        ("zh", "tw" | "hk" | "mo") => "hant",
        ("zh", _) => "hans",
        ("sr", "me") => "latn",
        ("sr", _) => "cyrl",
        ("pa", "pk") | ("uz", "af") | ("az", "ir") => "arab",
        _ => "",
    }
}

/// A language that most readers of this one read as well (CLDR `languageMatching`).
fn related_language(language: &str) -> Option<&'static str> {
    Some(match language {
        "gsw" | "lb" | "nds" | "bar" => "de",
        "ca" | "gl" | "eu" | "ast" | "an" => "es",
        "br" | "co" | "oc" | "wa" => "fr",
        "scn" | "nap" | "vec" | "lmo" => "it",
        "szl" | "csb" => "pl",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::{choose_language, language_ranges};

    #[derive(Deserialize)]
    struct Cases {
        cases: Vec<Case>,
    }

    #[derive(Deserialize)]
    struct Case {
        wanted: String,
        offered: Vec<String>,
        chosen: String,
    }

    #[test]
    fn chooses_the_language_that_the_cases_name() {
        let cases = include_str!("../../../../testdata/languages.json");
        let Cases { cases } = serde_json::from_str(cases).expect("cases");
        assert!(cases.len() > 30);
        for Case { wanted, offered, chosen } in cases {
            let actual = choose_language(&language_ranges(&wanted), &offered, |tag| tag);
            assert_eq!(*actual.unwrap_or(&offered[0]), chosen, "{wanted:?} of {offered:?}");
        }
    }
}
