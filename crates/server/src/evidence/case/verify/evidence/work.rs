//! Verifies evaluations, restrictions and messages of campaigns: each receipt is in the log and of this
//! person, the case says the same as the receipt, and no version is missing.

use std::collections::HashSet;

use musette_core::campaigns::MessageReceipt;
use musette_core::decisions::DecisionReceipt;
use musette_core::log::entry::DecisionKind;
use musette_core::log::tlog_proof::TlogProof;

use super::Checking;
use crate::evidence::case::CONTENTS;
use crate::evidence::case::contents::{CaseMessage, CaseObject, CaseRecord, folder};
use crate::evidence::case::gather::record;

const MESSAGES: &str = "messages";

impl Checking<'_> {
    pub(super) fn objects(&mut self) {
        let contents = self.contents;
        for (kind, objects) in contents.objects() {
            let mut paths: HashSet<&str> = HashSet::new();
            for object in objects {
                paths.extend(object.records.iter().map(|record| record.receipt.as_str()));
                self.object(kind, object);
            }
            self.check_listed(folder(kind), &paths);
        }
    }

    /// Reports evidence in a folder that `case.json` does not describe.
    fn check_listed(&mut self, folder: &str, listed: &HashSet<&str>) {
        let texts = self.texts.keys();
        let is_evidence = |path: &&String| {
            path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
                && path.ends_with(".json")
        };
        let unlisted: Vec<String> = texts
            .filter(is_evidence)
            .filter(|path| !listed.contains(path.as_str()))
            .cloned()
            .collect();
        for path in unlisted {
            self.add_fault(&path, format!("{CONTENTS} does not describe it"));
        }
    }

    fn object(&mut self, kind: DecisionKind, object: &CaseObject) {
        self.read_text(&object.page);
        let mut last: Option<&CaseRecord> = None;
        for (record, number) in object.records.iter().zip(1..) {
            let path = format!("{}/{}/{number}.json", folder(kind), object.id);
            if record.receipt != path {
                self.add_fault(CONTENTS, format!("{} is out of order", record.receipt));
            }
            if let Err(why) = self.decision_record(kind, object, record) {
                self.add_fault(&record.receipt, why);
            }
            if !follows(last, record) {
                let why = format!("{} does not follow the version before", record.receipt);
                self.add_fault(CONTENTS, why);
            }
            last = Some(record);
        }
        if last.map(|record| record.to.as_str()) != Some(&object.status) {
            self.add_fault(CONTENTS, format!("the status of {} is another one", object.id));
        }
    }

    fn decision_record(
        &mut self,
        kind: DecisionKind,
        object: &CaseObject,
        listed: &CaseRecord,
    ) -> Result<(), String> {
        let text = self.texts.get(&listed.receipt).ok_or("the file is missing")?;
        let receipt = DecisionReceipt::parse(text).map_err(|error| error.to_string())?;
        self.check_head(&receipt.proof)?;
        let verified = receipt.verify(self.keys).map_err(|error| error.to_string())?;
        let person = &self.contents.person;
        let is_of_person = verified.record["user_id"] == person.user_id.as_str()
            && receipt.subject_key == person.subject_key;
        if !is_of_person {
            return Err("it is not of this person".to_owned());
        }
        if verified.entry.kind != kind || verified.record["id"] != object.id.as_str() {
            return Err("it is the record of another decision".to_owned());
        }
        let mut proved = record(listed.receipt.clone(), verified.entry);
        proved.existed_before.clone_from(&listed.existed_before);
        if proved != *listed {
            self.add_fault(CONTENTS, format!("it does not match {}", listed.receipt));
        }
        Ok(())
    }

    /// Verifies that a proof is under the head of this file.
    fn check_head(&self, proof: &str) -> Result<(), String> {
        let proof = TlogProof::parse(proof).map_err(|error| error.to_string())?;
        if self.heads.contains(proof.checkpoint.as_str()) {
            Ok(())
        } else {
            Err("its proof is for another head".to_owned())
        }
    }

    pub(super) fn messages(&mut self) {
        let contents = self.contents;
        let mut paths: HashSet<&str> = HashSet::new();
        for message in &contents.messages {
            paths.insert(&message.proof);
            if let Err(why) = self.message(message) {
                self.add_fault(&message.proof, why);
            }
        }
        self.check_listed(MESSAGES, &paths);
    }

    fn message(&mut self, message: &CaseMessage) -> Result<(), String> {
        let text = self.texts.get(&message.proof).ok_or("the file is missing")?;
        let receipt = MessageReceipt::parse(text).map_err(|error| error.to_string())?;
        self.check_head(&receipt.proof)?;
        let verified = receipt.verify(self.keys).map_err(|error| error.to_string())?;
        let record = verified.record;
        if Some(&record.subject) != self.subject().as_ref() {
            return Err("it is not a message to this person".to_owned());
        }
        let is_same = record.message == message.id
            && message.proof == format!("{MESSAGES}/{}.json", message.id)
            && record.campaign == message.campaign
            && record.step == message.step
            && record.channel.as_str() == message.channel
            && record.locale == message.locale
            && record.sha256 == message.sha256
            && record.sent_at == message.sent_at
            && verified.entry.recorded_at == message.recorded_at;
        if !is_same {
            self.add_fault(CONTENTS, format!("it does not match {}", message.proof));
        }
        Ok(())
    }
}

/// Returns whether a record follows the one before: the first version comes from no status, and each
/// later one from the status before. A message changes neither version nor status.
fn follows(before: Option<&CaseRecord>, record: &CaseRecord) -> bool {
    let Some(before) = before else { return record.version == 1 && record.from.is_none() };
    let is_next = record.version == before.version + 1 || record.version == before.version;
    is_next && record.from.as_ref() == Some(&before.to)
}
