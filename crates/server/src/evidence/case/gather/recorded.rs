//! Evaluations, restrictions and messages of campaigns.

use std::collections::BTreeMap;

use musette_core::campaigns::{MessageReceipt, MessageRecord};
use musette_core::decisions::restrictions::table::RestrictionStatus;
use musette_core::instant::Instant;
use musette_core::log::entry::{DecisionKind, DecisionTransition, Entry};
use musette_store::{MessageProof, StoredDecisionReceipt};

use super::super::contents::{CaseMessage, CaseObject, CaseRecord, folder};
use super::super::writing::{CaseError, RECORDS_MAX};
use super::proofs::{ProvenContent, ProvenFile};
use super::{Gathering, corrupt_store};

/// Decisions about the person, and messages to them.
pub struct Recorded {
    pub evaluations: Vec<CaseObject>,
    pub restrictions: Vec<CaseObject>,
    pub messages: Vec<CaseMessage>,
}

impl Gathering<'_> {
    /// Reads evaluations, restrictions and messages. The outcomes of messages can change, so that a
    /// file of a past time is without them.
    pub(super) async fn recorded(
        &mut self,
        subject: &str,
        has_outcomes: bool,
    ) -> Result<Recorded, CaseError> {
        let evaluations = self.store.evaluation_receipts_of(subject).await?;
        let restrictions = self.store.restriction_receipts_of(subject).await?;
        let messages = self.store.message_proofs_of(subject).await?;
        if evaluations.len() + restrictions.len() + messages.len() > RECORDS_MAX {
            return Err(CaseError::TooLarge);
        }
        Ok(Recorded {
            evaluations: self.objects(DecisionKind::Evaluation, evaluations)?,
            restrictions: self.objects(DecisionKind::Restriction, restrictions)?,
            messages: self.messages(messages, has_outcomes)?,
        })
    }

    /// Returns the objects, the oldest first. A proposal belongs to the person once it is decided.
    fn objects(
        &mut self,
        kind: DecisionKind,
        receipts: Vec<StoredDecisionReceipt>,
    ) -> Result<Vec<CaseObject>, CaseError> {
        let mut by_object: BTreeMap<String, Vec<(StoredDecisionReceipt, DecisionTransition)>> =
            BTreeMap::new();
        for stored in receipts {
            let Entry::Decision(entry) =
                Entry::decode(&stored.receipt.entry).map_err(corrupt_store)?
            else {
                return Err(corrupt_store("the log entry of a decision is of another type"));
            };
            if Instant::parse(&entry.recorded_at).map_err(corrupt_store)? <= self.until {
                by_object.entry(stored.object.clone()).or_default().push((stored, entry));
            }
        }
        let mut objects: Vec<CaseObject> = by_object
            .into_iter()
            .filter(|(_, records)| {
                let last = records.last().map(|(_, entry)| entry.to.as_str());
                last != Some(RestrictionStatus::Proposed.as_str())
            })
            .map(|(id, records)| self.object(kind, id, records))
            .collect();
        objects.sort_by(|one, other| first(one).cmp(&first(other)));
        Ok(objects)
    }

    fn object(
        &mut self,
        kind: DecisionKind,
        id: String,
        receipts: Vec<(StoredDecisionReceipt, DecisionTransition)>,
    ) -> CaseObject {
        let folder = folder(kind);
        let mut records = Vec::with_capacity(receipts.len());
        for ((stored, entry), number) in receipts.into_iter().zip(1..) {
            let path = format!("{folder}/{id}/{number}.json");
            let (log, index) = (stored.log, stored.index);
            let content = ProvenContent::Decision(Box::new(stored.receipt));
            self.entries.push(ProvenFile { log, index, path: path.clone(), content });
            records.push(record(path, entry));
        }
        let status = records.last().map(|record| record.to.clone()).unwrap_or_default();
        CaseObject { page: format!("{folder}/{id}.html"), id, status, records }
    }

    fn messages(
        &mut self,
        proofs: Vec<MessageProof>,
        has_outcomes: bool,
    ) -> Result<Vec<CaseMessage>, CaseError> {
        let mut messages = Vec::new();
        for proof in proofs.into_iter().filter(|proof| proof.closed_at <= self.until) {
            let record: MessageRecord =
                serde_json::from_value(proof.record.clone()).map_err(corrupt_store)?;
            let term = self.catalog.get(proof.term_id);
            let title = term.and_then(|term| term.variants.first());
            let (log, index, path) =
                (proof.log, proof.entry_index, format!("messages/{}.json", record.message));
            messages.push(CaseMessage {
                id: record.message,
                proof: path.clone(),
                campaign: record.campaign,
                step: record.step,
                channel: record.channel.as_str().to_owned(),
                locale: record.locale,
                sha256: record.sha256,
                sent_at: record.sent_at,
                recorded_at: proof.closed_at.to_string(),
                terms_and_conditions_id: proof.term_id,
                title: title.map_or_else(String::new, |variant| variant.title.clone()),
                outcome: proof.outcome.clone().filter(|_| has_outcomes),
                status: proof.outcome_status.clone().filter(|_| has_outcomes),
                repeated: proof.repeated && has_outcomes,
                existed_before: None,
            });
            let content = ProvenContent::Message(Box::new(message_receipt(proof)?));
            self.entries.push(ProvenFile { log, index, path, content });
        }
        messages.sort_by(|one, other| (&one.sent_at, &one.id).cmp(&(&other.sent_at, &other.id)));
        Ok(messages)
    }
}

fn first(object: &CaseObject) -> (Option<&String>, &String) {
    (object.records.first().map(|record| &record.recorded_at), &object.id)
}

/// Describes a record as its entry does.
pub fn record(receipt: String, entry: DecisionTransition) -> CaseRecord {
    CaseRecord {
        receipt,
        version: entry.version,
        from: entry.from,
        to: entry.to,
        by: entry.by.kind,
        recorded_at: entry.recorded_at,
        existed_before: None,
    }
}

fn message_receipt(proof: MessageProof) -> Result<MessageReceipt, CaseError> {
    Ok(MessageReceipt {
        record: proof.record,
        salt: proof.salt,
        index: u64::try_from(proof.index).map_err(corrupt_store)?,
        count: u64::try_from(proof.count).map_err(corrupt_store)?,
        path: proof.path,
        root: proof.root,
        entry: proof.entry,
        proof: proof.proof,
    })
}
