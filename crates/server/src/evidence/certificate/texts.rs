//! The texts of the certificate, with one ARB file for each language.

mod ar;
mod bn;
mod de;
mod en;
mod es;
mod fr;
mod it;
mod pl;
mod pt;
mod th;
mod tr;
mod ur;

use musette_core::terms::{choose_language, language_ranges};

/// The texts of a certificate. A name in braces is a placeholder for a number, time, command or
/// URL.
pub struct Texts {
    pub tag: &'static str,
    pub rtl: bool,
    pub title: &'static str,
    pub lead: &'static str,
    pub person: &'static str,
    pub applicant: &'static str,
    pub recorded: &'static str,
    pub number: &'static str,
    pub app: &'static str,
    pub decisions: &'static str,
    pub accepted: &'static str,
    pub refused: &'static str,
    pub mandatory: &'static str,
    pub optional: &'static str,
    /// `{n}`
    pub version: &'static str,
    /// `{t}`
    pub on_device: &'static str,
    pub agree_all: &'static str,
    pub tick: &'static str,
    pub opened: &'static str,
    /// `{n}`: the last page that was shown; earlier pages may have been skipped
    pub read_up_to: &'static str,
    pub inferred: &'static str,
    pub imported: &'static str,
    pub proof: &'static str,
    pub entry: &'static str,
    /// `{i}` of `{n}`
    pub entry_of: &'static str,
    pub log: &'static str,
    pub root: &'static str,
    pub key: &'static str,
    pub subject: &'static str,
    pub time_stamp: &'static str,
    /// `{t}` and `{name}`
    pub existed_before: &'static str,
    pub meaning: &'static str,
    pub meaning_text: &'static str,
    /// `{command}` and `{address}`
    pub check_text: &'static str,
}

const ALL: [&Texts; 12] = [
    &en::TEXTS,
    &de::TEXTS,
    &es::TEXTS,
    &fr::TEXTS,
    &it::TEXTS,
    &pt::TEXTS,
    &pl::TEXTS,
    &tr::TEXTS,
    &ar::TEXTS,
    &th::TEXTS,
    &bn::TEXTS,
    &ur::TEXTS,
];

/// Returns the texts in the first supported language of an `Accept-Language` header; otherwise in
/// English.
pub fn texts(accept_language: &str) -> &'static Texts {
    let chosen = choose_language(&language_ranges(accept_language), &ALL, |texts| texts.tag);
    chosen.copied().unwrap_or(&en::TEXTS)
}

#[cfg(test)]
pub(super) fn every() -> [&'static Texts; 12] {
    ALL
}

#[cfg(test)]
mod tests {
    use super::{ALL, texts};

    #[test]
    fn chooses_the_first_supported_language() {
        for (header, tag) in [("", "en"), ("xx, de-AT;q=0.5", "de"), ("AR-eg", "ar"), ("*", "en")] {
            assert_eq!(texts(header).tag, tag, "{header}");
        }
    }

    #[test]
    fn every_language_has_all_placeholders() {
        for texts in ALL {
            for (text, placeholders) in [
                (texts.version, &["{n}"][..]),
                (texts.on_device, &["{t}"]),
                (texts.read_up_to, &["{n}"]),
                (texts.entry_of, &["{i}", "{n}"]),
                (texts.existed_before, &["{t}", "{name}"]),
                (texts.check_text, &["{command}", "{address}"]),
            ] {
                for placeholder in placeholders {
                    assert_eq!(
                        text.matches(placeholder).count(),
                        1,
                        "{} {placeholder}: {text}",
                        texts.tag
                    );
                }
                assert_eq!(text.matches('{').count(), placeholders.len(), "{}: {text}", texts.tag);
            }
        }
    }
}
