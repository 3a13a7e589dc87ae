//! The texts of the page of a case file, with one file for each language. Decisions are described
//! in the texts of the certificate.

mod ar;
mod de;
mod en;
mod work;

pub use work::WorkTexts;

use serde::Serialize;

/// The texts of the page and of its script. A name in braces is a placeholder.
#[derive(Serialize)]
pub struct CaseTexts {
    pub tag: &'static str,
    pub rtl: bool,
    pub title: &'static str,
    pub lead: &'static str,
    pub user_id: &'static str,
    pub name: &'static str,
    pub email: &'static str,
    pub phone: &'static str,
    /// `{t}`
    pub as_of: &'static str,
    pub genuine: &'static str,
    pub unchecked: &'static str,
    pub checking: &'static str,
    /// `{receipts}`, `{entries}`, `{signatures}`
    pub evidence_ok: &'static str,
    pub evidence_bad: &'static str,
    /// The file has no receipt and no entry of the log.
    pub no_evidence: &'static str,
    pub no_cryptography: &'static str,
    /// `{receipts}`, `{entries}`
    pub no_signatures: &'static str,
    pub ml_dsa_ok: &'static str,
    pub ml_dsa_unchecked: &'static str,
    pub files: &'static str,
    pub files_unchecked: &'static str,
    pub choose_zip: &'static str,
    pub choose_folder: &'static str,
    /// `{n}`
    pub files_ok: &'static str,
    /// `{n}`
    pub files_bad: &'static str,
    pub witnesses: &'static str,
    pub witnesses_unchecked: &'static str,
    pub choose_policy: &'static str,
    /// `{names}`
    pub witnesses_ok: &'static str,
    /// `{names}`
    pub witnesses_missing: &'static str,
    /// `{n}`
    pub policy_malformed: &'static str,
    pub missing: &'static str,
    pub unlisted: &'static str,
    pub changed: &'static str,
    pub malformed: &'static str,
    pub not_signed: &'static str,
    pub not_in_log: &'static str,
    pub other_person: &'static str,
    pub disagrees: &'static str,
    pub decisions: &'static str,
    pub none_decided: &'static str,
    pub latest: &'static str,
    pub superseded: &'static str,
    pub as_applicant: &'static str,
    /// `{methods}` is a list of the methods below.
    pub signed_in: &'static str,
    pub by_code: &'static str,
    pub by_password: &'static str,
    pub by_second_factor: &'static str,
    pub by_provider: &'static str,
    pub by_link: &'static str,
    pub by_command: &'static str,
    pub document: &'static str,
    pub receipt: &'static str,
    pub certificate: &'static str,
    pub entry: &'static str,
    #[serde(skip)]
    pub work: &'static WorkTexts,
    pub documents: &'static str,
    pub claims: &'static str,
    /// `{r}`, `{t}`
    pub claimed: &'static str,
    pub notices: &'static str,
    pub notices_note: &'static str,
    pub shown: &'static str,
    pub shown_note: &'static str,
    /// `{t}`
    pub shown_at: &'static str,
    /// `{t}`
    pub opened_at: &'static str,
    pub log: &'static str,
    /// How the time stamps are verified; this page does not.
    pub time_stamps: &'static str,
    /// `{n}`
    pub size: &'static str,
    pub proves: &'static str,
    pub proven: &'static [&'static str],
    pub proves_not: &'static str,
    pub not_proven: &'static [&'static str],
    pub how: &'static str,
    /// `{command}`
    pub how_text: &'static str,
}

impl CaseTexts {
    /// Describes the sign-in methods of an entry. An unknown method of a later version remains as
    /// it is.
    pub fn signed_in_by(&self, amr: &[String]) -> String {
        let method = |name: &String| match name.as_str() {
            "pwd" => Some(self.by_password.to_owned()),
            "otp" if amr.len() == 1 => Some(self.by_code.to_owned()),
            "otp" => Some(self.by_second_factor.to_owned()),
            "oidc" => Some(self.by_provider.to_owned()),
            "link" => Some(self.by_link.to_owned()),
            "command" => Some(self.by_command.to_owned()),
            // The other methods show that there were several.
            "mfa" => None,
            other => Some(other.to_owned()),
        };
        let methods: Vec<String> = amr.iter().filter_map(method).collect();
        self.signed_in.replace("{methods}", &methods.join(" + "))
    }
}

const ALL: [&CaseTexts; 3] = [&en::TEXTS, &de::TEXTS, &ar::TEXTS];

/// Returns the texts in the language of this tag, or in English if the page does not support it.
pub fn texts(tag: &str) -> &'static CaseTexts {
    ALL.into_iter().find(|texts| texts.tag == tag).unwrap_or(&en::TEXTS)
}

#[cfg(test)]
mod tests {
    use super::{ALL, CaseTexts, en};

    /// Moves the members of `work` to the top.
    fn flat(mut value: serde_json::Value) -> serde_json::Value {
        let work = value["work"].take();
        for (name, text) in work.as_object().expect("an object") {
            value[format!("work.{name}")] = text.clone();
        }
        value["work"] = "".into();
        value
    }

    #[test]
    fn says_how_a_person_had_signed_in() {
        let text = |amr: &[&str]| {
            let amr: Vec<String> = amr.iter().map(|method| (*method).to_owned()).collect();
            en::TEXTS.signed_in_by(&amr)
        };
        assert_eq!(text(&["otp"]), "signed in by one-time code");
        assert_eq!(text(&["pwd", "otp", "mfa"]), "signed in by password + authenticator");
        assert_eq!(text(&["later"]), "signed in by later");
    }

    #[test]
    fn every_language_has_the_same_placeholders_and_as_many_sentences() {
        let placeholders = |value: &serde_json::Value| {
            let text = value.as_str().unwrap_or_default();
            let mut placeholders: Vec<String> = text
                .split('{')
                .skip(1)
                .filter_map(|part| part.split('}').next())
                .map(str::to_owned)
                .collect();
            placeholders.sort();
            placeholders
        };
        let all = |texts: &CaseTexts| {
            let mut value = serde_json::to_value(texts).expect("JSON");
            value["work"] = serde_json::to_value(texts.work).expect("JSON");
            flat(value)
        };
        let english = all(&en::TEXTS);
        for texts in ALL {
            let value = all(texts);
            for (name, sentence) in value.as_object().expect("an object") {
                assert_eq!(
                    placeholders(sentence),
                    placeholders(&english[name]),
                    "{} {name}",
                    texts.tag
                );
                let length = |value: &serde_json::Value| value.as_array().map(Vec::len);
                assert_eq!(length(sentence), length(&english[name]), "{} {name}", texts.tag);
            }
        }
    }
}
