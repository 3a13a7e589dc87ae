//! Whether the log's entries prove what `case.json` says, and whether it leaves nothing out of them.

use std::collections::{BTreeMap, HashMap, HashSet};

use musette_core::log::entry::{Consent, Entry, Submission, UserType};
use musette_core::log::hash::Hash;
use musette_core::log::key::VerifierKey;
use musette_core::log::receipt::Receipt;
use musette_core::log::subject::SubjectKey;
use musette_core::log::tlog_proof::TlogProof;
use serde_json::{Value, json};

use super::super::CONTENTS;
use super::super::contents::{CaseDecision, CaseEntry, CaseTerm, Contents};
use super::Fault;

struct Checking<'a> {
    contents: &'a Contents,
    texts: &'a BTreeMap<String, String>,
    keys: &'a [VerifierKey],
    heads: HashSet<&'a str>,
    faults: Vec<Fault>,
}

pub fn check(
    contents: &Contents,
    texts: &BTreeMap<String, String>,
    sha256: &BTreeMap<String, String>,
    keys: &[VerifierKey],
) -> Vec<Fault> {
    let heads = contents.logs.iter().filter_map(|log| texts.get(&log.checkpoint));
    let heads = heads.map(String::as_str).collect();
    let mut checking = Checking { contents, texts, keys, heads, faults: Vec::new() };
    let submissions = checking.receipts();
    checking.decisions(&submissions);
    checking.claims(&submissions);
    for term in &contents.terms {
        checking.term(term);
    }
    for decision in &contents.decisions {
        let path = format!("documents/{}.pdf", decision.sha256);
        match sha256.get(&path) {
            None => checking.fault(&path, "it is missing"),
            Some(found) if *found != decision.sha256 && !found.is_empty() => {
                checking.fault(&path, "it is not the document of this hash");
            }
            Some(_) => {}
        }
    }
    checking.faults
}

impl Checking<'_> {
    fn fault(&mut self, path: &str, why: impl std::fmt::Display) {
        self.faults.push(Fault { path: path.to_owned(), why: why.to_string() });
    }

    fn text(&mut self, path: &str) -> Option<String> {
        let text = self.texts.get(path).cloned();
        if text.is_none() {
            self.fault(path, "it is missing");
        }
        text
    }

    /// The submissions by the ids of their receipts, each proved to be in the log and this person's.
    fn receipts(&mut self) -> BTreeMap<String, Submission> {
        let user_id = self.contents.person.user_id.clone();
        let mut submissions = BTreeMap::new();
        let paths: Vec<String> =
            self.texts.keys().filter(|path| path.starts_with("receipts/")).cloned().collect();
        for path in paths {
            let Some(text) = self.text(&path) else { continue };
            let receipt = match Receipt::parse(&text) {
                Ok(receipt) => receipt,
                Err(error) => {
                    self.fault(&path, error);
                    continue;
                }
            };
            let is_rider = matches!(
                Entry::decode(&receipt.entry),
                Ok(Entry::Submission(Submission { user_type: UserType::Rider, .. }))
            );
            let whose = is_rider.then_some(user_id.as_str());
            match receipt.verify(self.keys, whose) {
                Ok(verified) if path == format!("receipts/{}.json", receipt.id) => {
                    submissions.insert(receipt.id, verified.submission);
                }
                Ok(_) => self.fault(&path, "it has the name of another receipt"),
                Err(error) => self.fault(&path, error),
            }
        }
        submissions
    }

    /// An entry of this file, proved to be under its head.
    fn entry(&mut self, path: &str) -> Option<Entry> {
        let text = self.text(path)?;
        let read = serde_json::from_str::<CaseEntry>(&text).map_err(|error| error.to_string());
        let proved = read.and_then(|it| self.proved(&it));
        match proved {
            Ok(entry) => Some(entry),
            Err(why) => {
                self.fault(path, why);
                None
            }
        }
    }

    fn proved(&self, logged: &CaseEntry) -> Result<Entry, String> {
        let proof = TlogProof::parse(&logged.proof).map_err(|error| error.to_string())?;
        if proof.index != logged.index || !self.heads.contains(proof.checkpoint.as_str()) {
            return Err("its proof is of another entry, or under another head".to_owned());
        }
        let leaf = Hash::leaf(logged.entry.as_bytes());
        proof.verify(leaf, self.keys).map_err(|error| error.to_string())?;
        Entry::decode(&logged.entry).map_err(|error| error.to_string())
    }

    /// Each consent of each receipt is one decision, as the entry has it.
    fn decisions(&mut self, submissions: &BTreeMap<String, Submission>) {
        let contents = self.contents;
        let mut left: HashSet<(&str, i64)> = submissions
            .iter()
            .flat_map(|(id, it)| {
                it.consents.iter().map(|consent| (id.as_str(), consent.terms_and_conditions_id))
            })
            .collect();
        let mut latest = HashSet::new();
        for decision in contents.decisions.iter().rev() {
            let what = format!(
                "its decision on {} does not agree with {}",
                decision.terms_and_conditions_id, decision.receipt
            );
            let is_left =
                left.remove(&(decision.receipt_id.as_str(), decision.terms_and_conditions_id));
            let submission = submissions.get(&decision.receipt_id);
            let agrees = submission.is_some_and(|submission| agrees(decision, submission));
            let is_latest = latest.insert(decision.terms_and_conditions_id) == decision.latest;
            if submission.is_some() && !(is_left && agrees && is_latest) {
                self.fault(CONTENTS, &what);
            }
            if let Some(Entry::Submission(logged)) = self.entry(&decision.entry)
                && submission.is_some_and(|submission| *submission != logged)
            {
                self.fault(&decision.entry, "it is the entry of another submission");
            }
        }
        for (id, term) in left {
            self.fault(CONTENTS, format!("it leaves out the decision on {term} of receipt {id}"));
        }
    }

    /// Claims tie an applicant's submissions, and those that went on with them, to the person.
    fn claims(&mut self, submissions: &BTreeMap<String, Submission>) {
        let contents = self.contents;
        let continues: HashMap<&str, &str> = submissions
            .values()
            .filter_map(|it| Some((it.id.as_str(), it.continues.as_deref()?)))
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
        let subject = SubjectKey::from_base64url(&contents.person.subject_key);
        let subject = subject.map(|key| key.subject(&contents.person.user_id)).ok();
        let mut claimed = HashSet::new();
        for claim in &contents.claims {
            match self.entry(&claim.entry) {
                Some(Entry::Claim(logged)) if Some(&logged.subject) == subject.as_ref() => {
                    claimed.insert(first(&logged.claimed_entry));
                }
                Some(_) => self.fault(&claim.entry, "it is no claim of this person"),
                None => {}
            }
        }
        for (id, submission) in submissions {
            if submission.user_type == UserType::Applicant
                && !claimed.contains(&first(&submission.id))
            {
                self.fault(&format!("receipts/{id}.json"), "no claim ties it to this person");
            }
        }
    }

    /// The entry of a publication seals what is said of the version.
    fn term(&mut self, term: &CaseTerm) {
        let (Some(publication), Some(sealed)) = (&term.publication, &term.sealed) else { return };
        let Some(text) = self.text(sealed) else { return };
        match self.entry(publication) {
            Some(Entry::TermPublished(entry)) if entry.terms_and_conditions_id == term.id => {
                if entry.seal != Hash::leaf(text.as_bytes()).to_base64() {
                    self.fault(sealed, format!("it is not the text that {publication} seals"));
                } else if !self.is_sealed(term, &text) {
                    self.fault(CONTENTS, format!("it does not agree with {sealed}"));
                }
            }
            Some(_) => self.fault(publication, "it is not the publication of this version"),
            None => {}
        }
    }

    /// The sealed text is the row of the version and those of its languages.
    fn is_sealed(&self, term: &CaseTerm, sealed: &str) -> bool {
        let Ok((row, languages)) = serde_json::from_str::<(Vec<Value>, Vec<Vec<Value>>)>(sealed)
        else {
            return false;
        };
        let label = term.label.as_ref().map(|label| json!(label));
        let documents = self.contents.documents.iter();
        row.get(..4)
            == Some(&[json!(term.id), json!(term.kind), json!(term.version), json!(term.mandatory)])
            && row.get(11) == label.as_ref()
            && languages.first().and_then(|it| it.get(2)) == Some(&json!(term.title))
            && documents.filter(|it| it.terms_and_conditions_id == term.id).all(|it| {
                it.language.is_none()
                    || languages.iter().any(|row| {
                        row.get(1..4)
                            == Some(&[json!(it.language), json!(it.title), json!(it.sha256)])
                    })
            })
    }
}

fn agrees(decision: &CaseDecision, submission: &Submission) -> bool {
    let is_same = |consent: &Consent| {
        let Ok(logged) = serde_json::to_value(consent) else { return false };
        let said = json!({
            "accepted": decision.accepted,
            "consented_at": decision.consented_at,
            "evidence": decision.evidence,
            "last_page": decision.last_page,
            "method": decision.method,
            "opened": decision.opened,
            "sha256": decision.sha256,
            "terms_and_conditions_id": decision.terms_and_conditions_id,
        });
        // A member that an entry does not have is null here.
        said.as_object().is_some_and(|said| {
            said.iter().all(|(name, value)| logged.get(name).unwrap_or(&Value::Null) == value)
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
