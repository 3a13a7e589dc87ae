//! The content of a certificate before the layout: the parts of the receipt, with the titles, which
//! an entry does not contain.

use musette_core::instant::Instant;
use musette_core::log::checkpoint::Checkpoint;
use musette_core::log::entry::{Consent, Entry, Submission, UserType};
use musette_core::log::note::Note;
use musette_core::log::receipt::Receipt;
use musette_core::log::timestamp::TimeStamp;
use musette_core::log::tlog_proof::TlogProof;
use musette_core::terms::{Catalog, Term};

/// The receipt is malformed; this never happens to receipts of this server.
#[derive(Debug, thiserror::Error)]
#[error("a certificate of this receipt cannot be created: {0}")]
pub struct NotACertificate(pub(super) String);

/// A decision with the title of its term in the language that was shown.
pub struct Titled {
    pub consent: Consent,
    pub title: String,
    pub kind: String,
    pub version: String,
    pub mandatory: bool,
}

/// The first time stamp that covers the entry.
#[derive(Debug, Clone)]
pub struct ExistedBefore {
    pub at: Instant,
    /// The common name of the time-stamping authority.
    pub authority: String,
}

impl ExistedBefore {
    /// Returns the sentence about it; `isolated` separates a value from a text of another
    /// direction.
    pub fn sentence(&self, text: &str, isolated: impl Fn(&str) -> String) -> String {
        let time = isolated(&TimeStamp::time_text(self.at));
        text.replace("{t}", &time).replace("{name}", &isolated(&self.authority))
    }
}

/// The content of a certificate.
pub struct Content {
    /// The user ID. None for an applicant, whose receipt belongs to its holder.
    pub user_id: Option<String>,
    /// The time of the recording (RFC 3339).
    pub recorded_at: String,
    /// The reference to the person in the log.
    pub subject: String,
    /// The app that sent the decisions.
    pub app: Option<String>,
    /// The decisions in the order of the entry.
    pub decisions: Vec<Titled>,
    /// The checkpoint that the receipt is proved by.
    pub head: Checkpoint,
    /// The URL or path of the verifier key.
    pub key_address: String,
    /// The URL of the page that opens a receipt by its number, if this server knows its own URL.
    pub page_address: Option<String>,
    /// The name of the company, if it is set.
    pub company: Option<String>,
    /// The verifier key of the log with the entry; a restore may have ended that log.
    pub vkey: String,
    /// None until a time stamp covers the entry.
    pub existed_before: Option<ExistedBefore>,
}

fn invalid_certificate(error: impl std::fmt::Display) -> NotACertificate {
    NotACertificate(error.to_string())
}

impl Content {
    /// Reads a receipt. `vkey_of` returns the verifier key of a log by its origin.
    ///
    /// # Errors
    ///
    /// When the receipt is malformed, or not a receipt of a submission.
    pub fn new(
        receipt: &Receipt,
        catalog: &Catalog,
        user_id: Option<String>,
        vkey_of: &dyn Fn(&str) -> Option<String>,
        key_address: String,
    ) -> Result<Self, NotACertificate> {
        let Entry::Submission(submission) =
            Entry::decode(&receipt.entry).map_err(invalid_certificate)?
        else {
            return Err(invalid_certificate("its log entry is not a submission"));
        };
        let proof = TlogProof::parse(&receipt.proof).map_err(invalid_certificate)?;
        let note = Note::parse(&proof.checkpoint).map_err(invalid_certificate)?;
        let head = Checkpoint::parse(note.text()).map_err(invalid_certificate)?;
        let vkey = vkey_of(&head.origin)
            .ok_or_else(|| invalid_certificate("its log is unknown to this server"))?;
        let Submission { recorded_at, subject, app, consents, user_type, .. } = submission;
        // A later claim is a separate entry, so the receipt of an applicant never shows a user ID.
        let user_id = user_id.filter(|_| user_type == UserType::Rider);
        let decisions = consents.into_iter().map(|consent| titled(consent, catalog)).collect();
        let page_address = None;
        Ok(Self {
            user_id,
            recorded_at,
            subject,
            app,
            decisions,
            head,
            key_address,
            page_address,
            company: None,
            vkey,
            existed_before: None,
        })
    }

    /// Adds the URL of the page that opens the receipt.
    #[must_use]
    pub fn opened_at(self, page_address: Option<String>) -> Self {
        Self { page_address, ..self }
    }

    /// Adds the name of the company.
    #[must_use]
    pub fn of_company(self, company: Option<String>) -> Self {
        Self { company, ..self }
    }

    /// Adds the first time stamp that covers the entry.
    #[must_use]
    pub fn stamped(self, existed_before: Option<ExistedBefore>) -> Self {
        Self { existed_before, ..self }
    }

    /// Returns the content of the QR code: a URL for the camera of a phone, with the number in its
    /// fragment, which browsers do not send to servers; or the number alone if the URL is unknown.
    pub fn code(&self, id: &str) -> String {
        match &self.page_address {
            Some(address) => format!("{address}#{id}"),
            None => id.to_owned(),
        }
    }
}

fn titled(consent: Consent, catalog: &Catalog) -> Titled {
    let term = catalog.get(consent.terms_and_conditions_id);
    let variant = term.and_then(|term| {
        let exact = term.variants.iter().find(|variant| variant.sha256 == consent.sha256);
        exact.or(term.variants.first())
    });
    Titled {
        title: variant.map_or_else(String::new, |variant| variant.title.clone()),
        kind: term.map_or_else(String::new, |term| term.kind.as_str().to_owned()),
        version: term.map_or_else(|| 0.to_string(), Term::version_name),
        mandatory: term.is_some_and(|term| term.mandatory),
        consent,
    }
}

/// Formats a time as `2026-11-21 09:30:00.000 UTC`, which is the same in all languages and
/// unambiguous.
pub fn in_utc(instant: &str) -> String {
    match Instant::parse(instant) {
        Ok(instant) => {
            let text = instant.to_string();
            format!("{} UTC", text.trim_end_matches('Z').replacen('T', " ", 1))
        }
        Err(_) => instant.to_owned(),
    }
}
