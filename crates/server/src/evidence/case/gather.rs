//! Reads the content of a case file from the store, except documents and certificates, which are
//! large or slow to create and are therefore written one by one.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use musette_core::instant::Instant;
use musette_core::log::entry::{Consent, Entry, Evidence, Method, Submission, UserType};
use musette_core::log::receipt::Receipt;
use musette_core::terms::{Catalog, ReceiptKey, TermId};
use musette_store::{Log, Person, ProvenEntry, SignedHead, Store, StoreError, SubmissionEntry};

use super::CONTENTS;
use super::contents::{
    CaseClaim, CaseDecision, CaseDocument, CaseNotice, CasePerson, CaseTerm, CaseView, Contents,
    FORMAT, json,
};
use super::timestamps;
use super::writing::{CaseError, CaseQuery, SUBMISSIONS_MAX};

/// The content of a case file.
pub struct CaseFileContents {
    pub contents: Contents,
    /// All text files except the page and the manifest, by path.
    pub files: BTreeMap<String, String>,
    /// The tokens of time stamps, by path.
    pub tokens: BTreeMap<String, Vec<u8>>,
    /// All receipts of the person, for each of which the case gets a certificate.
    pub receipts: Vec<Receipt>,
    /// The verifier keys by the origin of their log.
    pub vkeys: BTreeMap<String, String>,
}

mod proofs;
mod recorded;

use proofs::ProvenContent;
pub use proofs::ProvenFile;
pub use recorded::{Recorded, record};

struct Gathering<'a> {
    store: &'a Store,
    key: &'a ReceiptKey,
    catalog: &'a Catalog,
    until: Instant,
    logs: Vec<Log>,
    /// The first heads that cover all entries in this file, by the ID of the log.
    heads: BTreeMap<i64, SignedHead>,
    entries: Vec<ProvenFile>,
    files: BTreeMap<String, String>,
}

fn corrupt_store(what: impl std::fmt::Display) -> CaseError {
    CaseError::Store(StoreError::Corrupt(what.to_string()))
}

/// Reads the content of a case file from the store.
pub async fn gather(
    store: &Arc<Store>,
    key: &ReceiptKey,
    catalog: &Catalog,
    query: &CaseQuery,
) -> Result<CaseFileContents, CaseError> {
    let until = query.as_of.unwrap_or(Instant::from_millis(i64::MAX));
    let Person { subject, .. } = &query.person;
    let subject_key = store.subject_key(subject).await?.ok_or(CaseError::Erased)?;
    let submissions = store.submissions_until(subject, until, SUBMISSIONS_MAX + 1).await?;
    if i64::try_from(submissions.len()).is_ok_and(|count| count > SUBMISSIONS_MAX) {
        return Err(CaseError::TooLarge);
    }
    let claims = store.claims_until(subject, until).await?;
    let mut gathering = Gathering {
        store,
        key,
        catalog,
        until,
        logs: store.logs().await?,
        heads: BTreeMap::new(),
        entries: Vec::new(),
        files: BTreeMap::new(),
    };
    let (receipts, mut decisions) = gathering.decisions(&submissions, subject).await?;
    mark_latest(&mut decisions);
    let claims = gathering.claims(&claims)?;
    let notices = gathering.notices(subject).await?;
    let mut recorded = gathering.recorded(subject, query.as_of.is_none()).await?;
    let shown = shown_documents(&decisions, &notices);
    let documents = gathering.documents(&shown);
    let terms = gathering.terms(&shown).await?;
    let entries = std::mem::take(&mut gathering.entries);
    let mut logs = gathering.add_proofs(&entries).await?;
    let stamped = timestamps::add(
        store,
        (&gathering.logs, &gathering.heads),
        &entries,
        timestamps::stampable(&mut decisions, &mut recorded),
        &mut logs,
    )
    .await?;
    let views = gathering.read_views(subject).await?;
    let contents = Contents {
        format: FORMAT.to_owned(),
        locale: query.locale.clone(),
        as_of: query.as_of.map(|at| at.to_string()),
        person: person(&query.person, subject_key),
        decisions,
        claims,
        notices,
        evaluations: recorded.evaluations,
        restrictions: recorded.restrictions,
        messages: recorded.messages,
        terms,
        documents,
        shown: views,
        logs,
    };
    let vkeys = gathering.logs.iter().map(|log| (log.origin.clone(), log.vkey.clone())).collect();
    let mut files = gathering.files;
    files.extend(stamped.texts);
    files.insert(CONTENTS.to_owned(), json(&contents));
    Ok(CaseFileContents { contents, files, tokens: stamped.tokens, receipts, vkeys })
}

fn person(person: &Person, subject_key: String) -> CasePerson {
    CasePerson {
        user_id: person.id.clone(),
        name: person.name.clone(),
        email: person.email.clone(),
        phone: person.phone.clone(),
        subject_key,
    }
}

/// Returns the versions, with their documents, that the person decided on or opened as a notice.
fn shown_documents(decisions: &[CaseDecision], notices: &[CaseNotice]) -> Vec<(TermId, String)> {
    let decided = decisions.iter();
    let decided =
        decided.map(|decision| (decision.terms_and_conditions_id, decision.sha256.clone()));
    let opened = notices.iter();
    let opened = opened.map(|notice| (notice.terms_and_conditions_id, notice.sha256.clone()));
    decided.chain(opened).collect()
}

/// Marks the latest decision on each version. The decisions must be in the order of their
/// recording.
fn mark_latest(decisions: &mut [CaseDecision]) {
    let mut later_terms = HashSet::new();
    for decision in decisions.iter_mut().rev() {
        decision.latest = later_terms.insert(decision.terms_and_conditions_id);
    }
}

impl Gathering<'_> {
    fn log(&self, id: i64) -> Result<&Log, CaseError> {
        self.logs.iter().find(|log| log.id == id).ok_or_else(|| corrupt_store("a log is missing"))
    }

    /// Adds an entry to the file, and returns its path.
    fn add_entry(&mut self, log: i64, index: u64, entry: &str) -> Result<String, CaseError> {
        let path = format!("log/{}/{index}.json", self.log(log)?.name());
        let content = ProvenContent::Entry(entry.to_owned());
        self.entries.push(ProvenFile { log, index, path: path.clone(), content });
        Ok(path)
    }

    async fn decisions(
        &mut self,
        submissions: &[SubmissionEntry],
        subject: &str,
    ) -> Result<(Vec<Receipt>, Vec<CaseDecision>), CaseError> {
        let apps = self.store.apps(subject).await?;
        let (mut receipts, mut decisions) = (Vec::new(), Vec::new());
        for row in submissions {
            let stored = self.store.receipt(row.seq).await?;
            let proven = stored.and_then(|stored| stored.evidence).ok_or(CaseError::Erased)?;
            let Entry::Submission(submission) = Entry::decode(&row.entry).map_err(corrupt_store)?
            else {
                return Err(corrupt_store("the log entry of a submission is of another type"));
            };
            let ProvenEntry { index, entry, proof, subject_key } = proven;
            let id = self.key.id(row.seq, &row.entry_id);
            let path = self.add_entry(row.log, row.index(), &row.entry)?;
            let app = apps.get(&row.seq);
            for consent in &submission.consents {
                decisions.push(self.decision(consent, &submission, &id, &path, app));
            }
            let receipt = Receipt { id, index, entry, proof, subject_key };
            let text = serde_json::to_string(&receipt).map_err(corrupt_store)?;
            self.files.insert(format!("receipts/{}.json", receipt.id), text);
            receipts.push(receipt);
        }
        Ok((receipts, decisions))
    }

    fn decision(
        &self,
        consent: &Consent,
        submission: &Submission,
        receipt_id: &str,
        entry: &str,
        app: Option<&String>,
    ) -> CaseDecision {
        let term = self.catalog.get(consent.terms_and_conditions_id);
        let variant = term
            .and_then(|term| term.variants.iter().find(|variant| variant.sha256 == consent.sha256));
        let user_type = match submission.user_type {
            UserType::Rider => "RIDER",
            UserType::Applicant => "APPLICANT",
        };
        let evidence = match consent.evidence {
            Evidence::Presented => "presented",
            Evidence::Inferred => "inferred",
            Evidence::Imported => "imported",
        };
        let method = consent.method.map(|method| match method {
            Method::Tick => "tick",
            Method::AgreeAll => "agree_all",
        });
        CaseDecision {
            receipt_id: receipt_id.to_owned(),
            receipt: format!("receipts/{receipt_id}.json"),
            certificate: format!("certificates/{receipt_id}.pdf"),
            entry: entry.to_owned(),
            user_type: user_type.to_owned(),
            terms_and_conditions_id: consent.terms_and_conditions_id,
            accepted: consent.accepted,
            consented_at: consent.consented_at.clone(),
            recorded_at: submission.recorded_at.clone(),
            language: variant.map(|variant| variant.locale.clone()),
            sha256: consent.sha256.clone(),
            evidence: evidence.to_owned(),
            method: method.map(str::to_owned),
            opened: consent.opened,
            last_page: consent.last_page,
            app: app.cloned(),
            amr: submission.amr.clone(),
            latest: false,
            existed_before: None,
        }
    }

    fn claims(&mut self, claims: &[SubmissionEntry]) -> Result<Vec<CaseClaim>, CaseError> {
        let mut contents = Vec::new();
        for claim in claims {
            let Entry::Claim(entry) = Entry::decode(&claim.entry).map_err(corrupt_store)? else {
                return Err(corrupt_store("the log entry of a claim is of another type"));
            };
            contents.push(CaseClaim {
                receipt_id: self.key.id(claim.seq, &claim.entry_id),
                entry: self.add_entry(claim.log, claim.index(), &claim.entry)?,
                recorded_at: entry.recorded_at,
            });
        }
        Ok(contents)
    }

    async fn notices(&mut self, subject: &str) -> Result<Vec<CaseNotice>, CaseError> {
        let mut contents = Vec::new();
        let text = |at: i64| Instant::from_millis(at).to_string();
        for receipt in self.store.opening_receipts_of(subject, self.until).await? {
            let opening = receipt.opening;
            contents.push(CaseNotice {
                terms_and_conditions_id: opening.term_id,
                sha256: opening.sha256,
                opened_at: text(opening.opened_at),
                recorded_at: text(opening.recorded_at),
                entry: self.add_entry(receipt.log, receipt.index, &receipt.entry)?,
            });
        }
        Ok(contents)
    }

    /// Returns each document once, even if there are several decisions on it.
    fn documents(&self, shown: &[(TermId, String)]) -> Vec<CaseDocument> {
        let mut hashes = HashSet::new();
        let new = shown.iter().filter(|(_, sha256)| hashes.insert(sha256.as_str()));
        let document = |(term_id, sha256): &(TermId, String)| {
            let term = self.catalog.get(*term_id);
            let variant = term
                .and_then(|term| term.variants.iter().find(|variant| variant.sha256 == *sha256));
            CaseDocument {
                sha256: sha256.clone(),
                path: format!("documents/{sha256}.pdf"),
                terms_and_conditions_id: *term_id,
                language: variant.map(|variant| variant.locale.clone()),
                title: variant.map_or_else(String::new, |variant| variant.title.clone()),
            }
        };
        new.map(document).collect()
    }

    async fn terms(&mut self, shown: &[(TermId, String)]) -> Result<Vec<CaseTerm>, CaseError> {
        let mut ids = HashSet::new();
        let mut terms = Vec::new();
        for &(id, _) in shown {
            if !ids.insert(id) {
                continue;
            }
            let Some(term) = self.catalog.get(id) else { continue };
            let (mut publication, mut sealed) = (None, None);
            if let Some(row) = self.store.publication_until(id, self.until).await? {
                publication = Some(self.add_entry(row.log, row.index, &row.entry)?);
                let path = format!("terms/{id}.json");
                self.files.insert(path.clone(), row.sealed);
                sealed = Some(path);
            }
            terms.push(CaseTerm {
                id,
                kind: term.kind.as_str().to_owned(),
                version: term.version,
                label: term.label.clone(),
                title: term
                    .variants
                    .first()
                    .map_or_else(String::new, |variant| variant.title.clone()),
                mandatory: term.mandatory,
                effective_from: term.effective_from.to_string(),
                grace_until: term.grace_until.map(|at| at.to_string()),
                publication,
                sealed,
            });
        }
        Ok(terms)
    }

    async fn read_views(&self, subject: &str) -> Result<Vec<CaseView>, CaseError> {
        let until = self.until.millis();
        let text = |at: i64| Instant::from_millis(at).to_string();
        let mut views = self.store.views_of(subject).await?;
        views.retain(|view| view.shown_at <= until);
        views.sort_by_key(|view| (view.shown_at, view.term_id));
        let view = |view: musette_store::TermView| {
            let term = self.catalog.get(view.term_id);
            let title = term.and_then(|term| term.variants.first());
            CaseView {
                terms_and_conditions_id: view.term_id,
                title: title.map_or_else(String::new, |variant| variant.title.clone()),
                version: term.map_or_else(String::new, musette_core::terms::Term::version_name),
                shown_at: text(view.shown_at),
                opened_at: view.opened_at.filter(|at| *at <= until).map(text),
            }
        };
        Ok(views.into_iter().map(view).collect())
    }
}
