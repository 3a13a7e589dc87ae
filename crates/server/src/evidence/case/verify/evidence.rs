//! Verifies that the log entries prove the statements of `case.json`, and that it omits none of
//! them.

use std::collections::{BTreeMap, HashMap, HashSet};

use musette_core::log::entry::{Consent, Entry, NoticeOpened, Submission, UserType};
use musette_core::log::hash::Hash;
use musette_core::log::key::VerifierKey;
use musette_core::log::receipt::Receipt;
use musette_core::log::subject::SubjectKey;
use musette_core::log::tlog_proof::TlogProof;
use serde_json::{Value, json};

use super::CaseFileError;
use crate::evidence::case::CONTENTS;
use crate::evidence::case::contents::{
    CaseDecision, CaseDocument, CaseEntry, CaseNotice, CaseTerm, Contents,
};

mod work;

struct Checking<'a> {
    contents: &'a Contents,
    texts: &'a BTreeMap<String, String>,
    keys: &'a [VerifierKey],
    heads: HashSet<&'a str>,
    faults: Vec<CaseFileError>,
}

pub fn check(
    contents: &Contents,
    texts: &BTreeMap<String, String>,
    sha256: &BTreeMap<String, String>,
    keys: &[VerifierKey],
) -> Vec<CaseFileError> {
    let heads = contents.logs.iter().filter_map(|log| texts.get(&log.checkpoint));
    let heads = heads.map(String::as_str).collect();
    let mut checking = Checking { contents, texts, keys, heads, faults: Vec::new() };
    let submissions = checking.receipts();
    checking.decisions(&submissions);
    checking.claims(&submissions);
    checking.notices();
    checking.objects();
    checking.messages();
    for term in &contents.terms {
        checking.check_term(term);
    }
    let decided = contents.decisions.iter().map(|decision| &decision.sha256);
    let opened = contents.notices.iter().map(|notice| &notice.sha256);
    for document in decided.chain(opened) {
        let path = format!("documents/{document}.pdf");
        match sha256.get(&path) {
            None => checking.add_fault(&path, "the file is missing"),
            Some(actual) if actual != document && !actual.is_empty() => {
                checking.add_fault(&path, "the document does not match the hash in its name");
            }
            Some(_) => {}
        }
    }
    checking.faults
}

impl Checking<'_> {
    fn add_fault(&mut self, path: &str, why: impl std::fmt::Display) {
        self.faults.push(CaseFileError { path: path.to_owned(), why: why.to_string() });
    }

    /// Returns the name of the person in the log.
    fn subject(&self) -> Option<String> {
        let person = &self.contents.person;
        let key = SubjectKey::from_base64url(&person.subject_key).ok()?;
        Some(key.subject(&person.user_id))
    }

    fn read_text(&mut self, path: &str) -> Option<String> {
        let text = self.texts.get(path).cloned();
        if text.is_none() {
            self.add_fault(path, "the file is missing");
        }
        text
    }

    /// Returns the submissions by the IDs of their receipts, after verifying that they are in the
    /// log and of this person.
    fn receipts(&mut self) -> BTreeMap<String, Submission> {
        let user_id = self.contents.person.user_id.clone();
        let mut submissions = BTreeMap::new();
        let paths: Vec<String> =
            self.texts.keys().filter(|path| path.starts_with("receipts/")).cloned().collect();
        for path in paths {
            let Some(text) = self.read_text(&path) else { continue };
            let receipt = match Receipt::parse(&text) {
                Ok(receipt) => receipt,
                Err(error) => {
                    self.add_fault(&path, error);
                    continue;
                }
            };
            let is_rider = matches!(
                Entry::decode(&receipt.entry),
                Ok(Entry::Submission(Submission { user_type: UserType::Rider, .. }))
            );
            let owner = is_rider.then_some(user_id.as_str());
            match receipt.verify(self.keys, owner) {
                Ok(verified) if path == format!("receipts/{}.json", receipt.id) => {
                    submissions.insert(receipt.id, verified.submission);
                }
                Ok(_) => self.add_fault(&path, "the file contains another receipt"),
                Err(error) => self.add_fault(&path, error),
            }
        }
        submissions
    }

    /// Returns an entry of this file, after verifying its proof under the head in the file.
    fn entry(&mut self, path: &str) -> Option<Entry> {
        let text = self.read_text(path)?;
        let entry = serde_json::from_str::<CaseEntry>(&text).map_err(|error| error.to_string());
        match entry.and_then(|entry| self.verify_entry(&entry)) {
            Ok(entry) => Some(entry),
            Err(why) => {
                self.add_fault(path, why);
                None
            }
        }
    }

    fn verify_entry(&self, entry: &CaseEntry) -> Result<Entry, String> {
        let proof = TlogProof::parse(&entry.proof).map_err(|error| error.to_string())?;
        if proof.index != entry.index || !self.heads.contains(proof.checkpoint.as_str()) {
            return Err("its proof is for another entry or another head".to_owned());
        }
        let leaf = Hash::leaf(entry.entry.as_bytes());
        proof.verify(leaf, self.keys).map_err(|error| error.to_string())?;
        Entry::decode(&entry.entry).map_err(|error| error.to_string())
    }

    /// Compares decisions and consents: each consent of each receipt must be one decision with the
    /// same content.
    fn decisions(&mut self, submissions: &BTreeMap<String, Submission>) {
        let contents = self.contents;
        let mut unmatched: HashSet<(&str, i64)> = submissions
            .iter()
            .flat_map(|(id, submission)| {
                let terms = submission.consents.iter();
                terms.map(|consent| (id.as_str(), consent.terms_and_conditions_id))
            })
            .collect();
        let mut latest = HashSet::new();
        for decision in contents.decisions.iter().rev() {
            let what = format!(
                "the decision on {} does not match {}",
                decision.terms_and_conditions_id, decision.receipt
            );
            let is_unmatched =
                unmatched.remove(&(decision.receipt_id.as_str(), decision.terms_and_conditions_id));
            let submission = submissions.get(&decision.receipt_id);
            let agrees =
                submission.is_some_and(|submission| matches_submission(decision, submission));
            let is_latest = latest.insert(decision.terms_and_conditions_id) == decision.latest;
            if submission.is_some() && !(is_unmatched && agrees && is_latest) {
                self.add_fault(CONTENTS, &what);
            }
            if let Some(Entry::Submission(entry)) = self.entry(&decision.entry)
                && submission.is_some_and(|submission| *submission != entry)
            {
                self.add_fault(&decision.entry, "it is the entry of another submission");
            }
        }
        for (id, term) in unmatched {
            self.add_fault(CONTENTS, format!("the decision on {term} in receipt {id} is missing"));
        }
    }

    /// Verifies claims, which link an applicant's submissions, and later ones that continue them,
    /// to the person.
    fn claims(&mut self, submissions: &BTreeMap<String, Submission>) {
        let contents = self.contents;
        let continues: HashMap<&str, &str> = submissions
            .values()
            .filter_map(|submission| {
                Some((submission.id.as_str(), submission.continues.as_deref()?))
            })
            .collect();
        let first = |id: &str| {
            let mut first = id.to_owned();
            for _ in 0..=continues.len() {
                match continues.get(first.as_str()) {
                    Some(before) => first = (*before).to_owned(),
                    None => break,
                }
            }
            first
        };
        let subject = self.subject();
        let mut claimed = HashSet::new();
        for claim in &contents.claims {
            match self.entry(&claim.entry) {
                Some(Entry::Claim(entry)) if Some(&entry.subject) == subject.as_ref() => {
                    claimed.insert(first(&entry.claimed_entry));
                }
                Some(_) => self.add_fault(&claim.entry, "it is not a claim of this person"),
                None => {}
            }
        }
        for (id, submission) in submissions {
            if submission.user_type == UserType::Applicant
                && !claimed.contains(&first(&submission.id))
            {
                self.add_fault(&format!("receipts/{id}.json"), "no claim links it to this person");
            }
        }
    }

    /// Verifies that each opened notice has an entry of this person with the same content.
    fn notices(&mut self) {
        let contents = self.contents;
        let subject = self.subject();
        for notice in &contents.notices {
            match self.entry(&notice.entry) {
                Some(Entry::NoticeOpened(entry)) => {
                    if Some(&entry.subject) != subject.as_ref() {
                        self.add_fault(&notice.entry, "it is not an entry of this person");
                    } else if !matches_opening(notice, &entry) {
                        let message = format!("it does not match {}", notice.entry);
                        self.add_fault(CONTENTS, message);
                    }
                }
                Some(_) => self.add_fault(&notice.entry, "it is not the opening of a notice"),
                None => {}
            }
        }
    }

    /// Verifies that the publication of a version seals its content.
    fn check_term(&mut self, term: &CaseTerm) {
        let (Some(publication), Some(sealed)) = (&term.publication, &term.sealed) else { return };
        let Some(text) = self.read_text(sealed) else { return };
        match self.entry(publication) {
            Some(Entry::TermPublished(entry)) if entry.terms_and_conditions_id == term.id => {
                if entry.seal != Hash::leaf(text.as_bytes()).to_base64() {
                    self.add_fault(sealed, format!("it does not match the seal in {publication}"));
                } else if !self.matches_sealed(term, &text) {
                    self.add_fault(CONTENTS, format!("it does not match {sealed}"));
                }
            }
            Some(_) => self.add_fault(publication, "it is not the publication of this version"),
            None => {}
        }
    }

    /// Returns whether the sealed text, the rows of the version and of its languages, matches the
    /// version.
    fn matches_sealed(&self, term: &CaseTerm, sealed: &str) -> bool {
        let Ok((row, languages)) = serde_json::from_str::<(Vec<Value>, Vec<Vec<Value>>)>(sealed)
        else {
            return false;
        };
        let label = term.label.as_ref().map(|label| json!(label));
        let documents = self.contents.documents.iter();
        row.get(..4)
            == Some(&[json!(term.id), json!(term.kind), json!(term.version), json!(term.mandatory)])
            // A version without a label, but with a market or a kind, has a null in its place.
            && row.get(11).filter(|value| !value.is_null()) == label.as_ref()
            && languages.first().and_then(|row| row.get(2)) == Some(&json!(term.title))
            && documents.filter(|document| document.terms_and_conditions_id == term.id).all(
                |CaseDocument { language, title, sha256, .. }| {
                    let expected = [json!(language), json!(title), json!(sha256)];
                    language.is_none()
                        || languages.iter().any(|row| row.get(1..4) == Some(&expected[..]))
                },
            )
    }
}

fn matches_opening(notice: &CaseNotice, entry: &NoticeOpened) -> bool {
    notice.terms_and_conditions_id == entry.terms_and_conditions_id
        && notice.sha256 == entry.sha256
        && notice.opened_at == entry.opened_at
        && notice.recorded_at == entry.recorded_at
}

fn matches_submission(decision: &CaseDecision, submission: &Submission) -> bool {
    let is_same = |consent: &Consent| {
        let Ok(entry) = serde_json::to_value(consent) else { return false };
        let expected = json!({
            "accepted": decision.accepted,
            "consented_at": decision.consented_at,
            "evidence": decision.evidence,
            "last_page": decision.last_page,
            "method": decision.method,
            "opened": decision.opened,
            "sha256": decision.sha256,
            "terms_and_conditions_id": decision.terms_and_conditions_id,
        });
        // A member that an entry does not have is null in the decision.
        expected.as_object().is_some_and(|expected| {
            expected.iter().all(|(name, value)| entry.get(name).unwrap_or(&Value::Null) == value)
        })
    };
    let user_type = match submission.user_type {
        UserType::Rider => "RIDER",
        UserType::Applicant => "APPLICANT",
    };
    decision.user_type == user_type
        && decision.recorded_at == submission.recorded_at
        && decision.amr == submission.amr
        && submission.consents.iter().any(is_same)
}
