//! Compares the columns of a record with the members of its entry and returns the first difference.

use musette_core::instant::Instant;
use musette_core::log::entry::{Claim, Consent, Entry, Evidence, Method, Submission, UserType};

use crate::log::subject_key;
use crate::log::text::EntryText;

#[derive(serde::Deserialize, sqlx_macros::FromRow)]
pub(in crate::log::verify) struct SubmissionRow {
    pub(in crate::log::verify) seq: i64,
    entry_id: String,
    pub(super) subject: String,
    pub(super) person: String,
    user_type: String,
    recorded_at: i64,
    locale: Option<String>,
    app: Option<String>,
    market: Option<String>,
    amr: Option<String>,
    clock_offset_ms: Option<i64>,
    device_at: Option<String>,
    pub(super) key: Option<String>,
    pub(super) user_id: Option<String>,
    pub(super) erased: Option<String>,
}

#[derive(serde::Deserialize, sqlx_macros::FromRow)]
pub(in crate::log::verify) struct ConsentRow {
    pub(in crate::log::verify) submission: i64,
    pub(super) position: i64,
    pub(super) person: String,
    pub(in crate::log::verify) term_id: i64,
    accepted: i64,
    consented_at: i64,
    consented_at_text: String,
    pub(super) sha256: String,
    evidence: String,
    method: Option<String>,
    opened: Option<i64>,
    last_page: Option<i64>,
}

#[derive(sqlx_macros::FromRow)]
pub(in crate::log::verify) struct ClaimRow {
    pub(in crate::log::verify) person: String,
    pub(super) subject: String,
    recorded_at: i64,
    entry_id: String,
    claimed_person: String,
    /// The entry of the claimed submission.
    claimed: EntryText,
    pub(super) key: Option<String>,
    pub(super) user_id: Option<String>,
    pub(super) erased: Option<String>,
}

type Columns<const N: usize> = [(&'static str, bool); N];

fn first_false<const N: usize>(columns: Columns<N>) -> Option<&'static str> {
    columns.into_iter().find(|(_, fits)| !fits).map(|(column, _)| column)
}

fn is_at(millis: i64, text: &str) -> bool {
    Instant::parse(text).is_ok_and(|instant| instant.millis() == millis)
}

impl SubmissionRow {
    pub(super) fn differs(&self, entry: &Submission) -> Option<&'static str> {
        let user_type = match entry.user_type {
            UserType::Rider => "RIDER",
            UserType::Applicant => "APPLICANT",
        };
        first_false([
            ("entry_id", self.entry_id == entry.id),
            ("user_type", self.user_type == user_type),
            ("recorded_at", is_at(self.recorded_at, &entry.recorded_at)),
            ("locale", self.locale == entry.locale),
            ("market", self.market == entry.market),
            ("clock_offset_ms", self.clock_offset_ms == entry.clock_offset_ms),
            ("device_at", self.device_at == entry.device_at),
            ("amr", self.amr == entry.amr.as_ref().map(|words| words.join(" "))),
        ])
    }

    /// Checks the description of the client app. Older entries contain the text itself; others
    /// contain its hash, which the key of the subject verifies. For an erased person nothing
    /// remains to compare.
    pub(super) fn has_app_of(&self, entry: &Submission) -> bool {
        let Some(logged) = &entry.app_sha256 else { return self.app == entry.app };
        let Some(stored) = &self.app else { return false };
        let Some(Ok(key)) = self.key.as_deref().map(subject_key) else { return true };
        let app = key.decrypt(&entry.id, stored);
        app.is_some_and(|app| key.app_sha256(&app) == *logged)
    }
}

impl ConsentRow {
    pub(super) fn differs(&self, entry: &Consent) -> Option<&'static str> {
        let evidence = match entry.evidence {
            Evidence::Presented => "presented",
            Evidence::Inferred => "inferred",
            Evidence::Imported => "imported",
        };
        let method = entry.method.map(|method| match method {
            Method::Tick => "tick",
            Method::AgreeAll => "agree_all",
        });
        first_false([
            ("term_id", self.term_id == entry.terms_and_conditions_id),
            ("accepted", self.accepted == i64::from(entry.accepted)),
            ("consented_at", is_at(self.consented_at, &entry.consented_at)),
            ("consented_at_text", self.consented_at_text == entry.consented_at),
            ("sha256", self.sha256 == entry.sha256),
            ("evidence", self.evidence == evidence),
            ("method", self.method.as_deref() == method),
            ("opened", self.opened == entry.opened.map(i64::from)),
            ("last_page", self.last_page == entry.last_page.map(i64::from)),
        ])
    }
}

impl ClaimRow {
    pub(super) fn differs(&self, entry: &Claim) -> Option<&'static str> {
        let claimed = match Entry::decode(&self.claimed) {
            Ok(Entry::Submission(submission)) => submission.subject,
            _ => String::new(),
        };
        // The entry identifies the applicant's submission.
        let is_claimed = self.entry_id == entry.claimed_entry && claimed == entry.claimed_subject;
        first_false([
            ("submission", is_claimed),
            ("person", self.person == self.claimed_person),
            ("recorded_at", is_at(self.recorded_at, &entry.recorded_at)),
        ])
    }
}
