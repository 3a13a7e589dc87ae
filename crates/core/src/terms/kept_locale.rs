//! The language tag that the log stores for a submission.
//!
//! Log entries can never be deleted, and a language tag has room for free text (`en-x-jane`,
//! `de-a1b2c3d4`). The log therefore stores only tags made of listed parts.

use std::borrow::Cow;

/// The languages that Musette's own texts are translated into.
const LANGUAGES: [&str; 12] =
    ["ar", "bn", "de", "en", "es", "fr", "it", "pl", "pt", "th", "tr", "ur"];
/// The scripts (ISO 15924) of these languages.
const SCRIPTS: [&str; 5] = ["Arab", "Aran", "Beng", "Latn", "Thai"];
/// ISO 3166-1 alpha-2 codes, as assigned in 2026, and XK.
const REGIONS: &str = "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL \
    BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ \
    DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS \
    GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR \
    KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU \
    MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY \
    QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH \
    TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW";
/// UN M.49 areas that occur in language tags: the world, Europe, Latin America.
const AREAS: [&str; 3] = ["001", "150", "419"];

/// BCP 47: the language is not known.
const UNDETERMINED: &str = "und";

/// A language tag in canonical spelling: one of Musette's languages with at most a script and a
/// region, or `und`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredLocale(Cow<'static, str>);

impl StoredLocale {
    /// Returns the tag in canonical spelling if all its parts are listed, otherwise `und`.
    pub fn of(text: &str) -> Self {
        Self(canonical(text).map_or(Cow::Borrowed(UNDETERMINED), Cow::Owned))
    }

    /// Returns the tag that the log stores.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn canonical(text: &str) -> Option<String> {
    let mut parts = text.split('-');
    let language = find_ignoring_case(LANGUAGES, parts.next()?)?;
    let mut tag = language.to_owned();
    let mut part = parts.next();
    if let Some(script) = part.and_then(|part| find_ignoring_case(SCRIPTS, part)) {
        tag = format!("{tag}-{script}");
        part = parts.next();
    }
    if let Some(part) = part {
        let region = find_ignoring_case(REGIONS.split(' '), part)
            .or_else(|| find_ignoring_case(AREAS, part))?;
        tag = format!("{tag}-{region}");
    }
    parts.next().is_none().then_some(tag)
}

fn find_ignoring_case<'a>(list: impl IntoIterator<Item = &'a str>, part: &str) -> Option<&'a str> {
    list.into_iter().find(|entry| entry.eq_ignore_ascii_case(part))
}

#[cfg(test)]
mod tests {
    use super::StoredLocale;

    #[test]
    fn keeps_only_tags_made_of_listed_parts() {
        for (text, expected) in [
            ("en", "en"),
            ("DE-at", "de-AT"),
            ("ur-aran-PK", "ur-Aran-PK"),
            ("ar-Arab", "ar-Arab"),
            ("es-419", "es-419"),
            ("und", "und"),
            ("", "und"),
            ("nl", "und"),
            ("en-x-johnsmith", "und"),
            ("en-GB-x-johnsmith", "und"),
            ("en-johnsmith", "und"),
            ("de-1996", "und"),
            ("de-DE-u-co-phonebk", "und"),
            ("en-GB-Latn", "und"),
            ("en-", "und"),
            ("en-AA", "und"),
            ("en-999", "und"),
            ("en_GB", "und"),
            ("Jo Smith, +49 170 5550100", "und"),
        ] {
            assert_eq!(StoredLocale::of(text).as_str(), expected, "{text:?}");
        }
    }
}
