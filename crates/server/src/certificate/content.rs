//! The content of a certificate before it is set: the receipt taken apart, with the titles that an
//! entry does not hold.

use musette_core::instant::Instant;
use musette_core::log::checkpoint::Checkpoint;
use musette_core::log::entry::{Consent, Entry, Submission, UserType};
use musette_core::log::note::Note;
use musette_core::log::receipt::Receipt;
use musette_core::log::tlog_proof::TlogProof;
use musette_core::terms::{Catalog, Term};

/// A receipt that no page can be made of; ours never is.
#[derive(Debug, thiserror::Error)]
#[error("no certificate of this receipt: {0}")]
pub struct NotACertificate(pub(super) String);

/// A decision with what its term is called in the language that was shown.
pub struct Titled {
    pub consent: Consent,
    pub title: String,
    pub kind: String,
    pub version: String,
    pub mandatory: bool,
}

/// Everything that a certificate says.
pub struct Content {
    /// None: an applicant's, which is whoever's that holds it.
    pub user_id: Option<String>,
    /// RFC 3339.
    pub recorded_at: String,
    /// The reference of the person in the log.
    pub subject: String,
    /// The application that sent the decisions.
    pub app: Option<String>,
    /// In the order of the entry.
    pub decisions: Vec<Titled>,
    /// The checkpoint that the receipt is proved by.
    pub head: Checkpoint,
    /// Where the verifier key is.
    pub key_address: String,
    /// Where a receipt is opened by its number, if this server knows its own address.
    pub page_address: Option<String>,
    /// The verifier key of the log that holds the entry; a restore may have ended that log.
    pub vkey: String,
}

fn broken(error: impl std::fmt::Display) -> NotACertificate {
    NotACertificate(error.to_string())
}

impl Content {
    /// Takes a receipt apart. `vkey_of` gives the verifier key of a log by its origin.
    ///
    /// # Errors
    ///
    /// When the receipt is malformed, or is not of a submission.
    pub fn new(
        receipt: &Receipt,
        catalog: &Catalog,
        user_id: Option<String>,
        vkey_of: &dyn Fn(&str) -> Option<String>,
        key_address: String,
    ) -> Result<Self, NotACertificate> {
        let Entry::Submission(submission) = Entry::decode(&receipt.entry).map_err(broken)? else {
            return Err(broken("its entry is not a submission"));
        };
        let proof = TlogProof::parse(&receipt.proof).map_err(broken)?;
        let note = Note::parse(&proof.checkpoint).map_err(broken)?;
        let head = Checkpoint::parse(note.text()).map_err(broken)?;
        let vkey = vkey_of(&head.origin).ok_or_else(|| broken("its log is not known here"))?;
        let Submission { recorded_at, subject, app, consents, user_type, .. } = submission;
        // A claim is an entry of its own: this one is and stays that of whoever holds its receipt.
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
            vkey,
        })
    }

    /// With the address of the page that opens it.
    #[must_use]
    pub fn opened_at(self, page_address: Option<String>) -> Self {
        Self { page_address, ..self }
    }

    /// What the code says: an address that a phone's camera opens, with the number in its fragment,
    /// which no browser sends to a server; where no address is known, the number alone.
    pub fn code(&self, id: &str) -> String {
        match &self.page_address {
            Some(address) => format!("{address}#{id}"),
            None => id.to_owned(),
        }
    }
}

fn titled(consent: Consent, catalog: &Catalog) -> Titled {
    let term = catalog.get(consent.terms_and_conditions_id);
    let shown = term.and_then(|term| {
        let shown = term.variants.iter().find(|variant| variant.sha256 == consent.sha256);
        shown.or(term.variants.first())
    });
    Titled {
        title: shown.map_or_else(String::new, |variant| variant.title.clone()),
        kind: term.map_or_else(String::new, |term| term.kind.as_str().to_owned()),
        version: term.map_or_else(|| 0.to_string(), Term::version_name),
        mandatory: term.is_some_and(|term| term.mandatory),
        consent,
    }
}

/// `2026-11-21 09:30:00.000 UTC`: the same in every language, and in no doubt which day it was.
pub fn in_utc(instant: &str) -> String {
    match Instant::parse(instant) {
        Ok(instant) => {
            let text = instant.to_string();
            format!("{} UTC", text.trim_end_matches('Z').replacen('T', " ", 1))
        }
        Err(_) => instant.to_owned(),
    }
}
