//! Receipts of decisions about a person, of opened notices, and of messages of campaigns.

use musette_core::campaigns::MessageReceipt;
use musette_core::decisions::DecisionReceipt;
use musette_core::log::checkpoint::Checkpoint;
use musette_core::log::entry::Entry;
use musette_core::log::opening_receipt::OpeningReceipt;
use musette_core::log::subject::SubjectKey;
use musette_core::log::tlog_proof::TlogProof;
use serde_json::Value;

use super::{TrustedKeys, not_verified};
use crate::command::Failure;

/// The members of the copy of a person's data that contain such receipts.
const DATA_MEMBERS: [&str; 4] =
    ["evaluation_receipts", "restriction_receipts", "notice_openings", "message_proofs"];

pub(super) enum RecordedReceipt<'a> {
    Decision(&'a Value),
    Opening(&'a Value),
    /// With the key of the person, if another receipt in the file has it.
    Message(&'a Value, Option<&'a str>),
}

/// Returns the receipts in a file: the file is one of them, a response with several, or the copy of a
/// person's data. None if it is another file.
pub(super) fn receipts(file: &Value) -> Option<Vec<RecordedReceipt<'_>>> {
    if let Some(receipt) = kind_of(file, None) {
        return Some(vec![receipt]);
    }
    let lists = DATA_MEMBERS.iter().filter_map(|name| file.get(*name)?.as_array());
    let mut items: Vec<&Value> = lists.flatten().collect();
    if let Some(list) = file.get("items").and_then(Value::as_array) {
        items.extend(list);
    }
    let key = items.iter().find_map(|item| item.get("subject_key")?.as_str());
    let receipts: Option<Vec<_>> = items.into_iter().map(|item| kind_of(item, key)).collect();
    receipts.filter(|receipts| !receipts.is_empty())
}

fn kind_of<'a>(value: &'a Value, key: Option<&'a str>) -> Option<RecordedReceipt<'a>> {
    if value.get("record").is_some() {
        let is_message = value.get("root").is_some();
        return Some(match is_message {
            true => RecordedReceipt::Message(value, key),
            false => RecordedReceipt::Decision(value),
        });
    }
    let entry = Entry::decode(value.get("entry")?.as_str()?).ok()?;
    matches!(entry, Entry::NoticeOpened(_)).then_some(RecordedReceipt::Opening(value))
}

impl RecordedReceipt<'_> {
    /// Verifies the receipt, and says what it proves.
    pub(super) fn verify(&self, trusted: &TrustedKeys, user: Option<&str>) -> Result<(), Failure> {
        match self {
            Self::Decision(value) => verify_decision(value, trusted, user),
            Self::Opening(value) => verify_opening(value, trusted, user),
            Self::Message(value, key) => verify_message(value, *key, trusted, user),
        }
    }
}

/// Demands the quorum of the policy, and returns the end of the message.
fn cosigned_by(proof: &str, trusted: &TrustedKeys) -> Result<String, Failure> {
    let proof = TlogProof::parse(proof).map_err(not_verified)?;
    trusted.check_policy(&proof.checkpoint)
}

fn place(index: u64, checkpoint: &Checkpoint) -> String {
    format!("entry {index} of {}", checkpoint.origin)
}

fn verify_decision(
    receipt: &Value,
    trusted: &TrustedKeys,
    user: Option<&str>,
) -> Result<(), Failure> {
    let receipt = DecisionReceipt::parse(&receipt.to_string()).map_err(not_verified)?;
    let verified = receipt.verify(&trusted.keys).map_err(not_verified)?;
    let cosigned = cosigned_by(&receipt.proof, trusted)?;
    let owner = verified.record["user_id"].as_str().unwrap_or_default();
    if user.is_some_and(|user| user != owner) {
        return Err(not_verified("the entry belongs to another person"));
    }
    let entry = &verified.entry;
    let by = match entry.by.kind.as_str() {
        "service" => "a program",
        "lapse" => "the program, because the time to contest had passed",
        "rider" => "the rider",
        _ => "a person of the company",
    };
    out!(
        "verified: {}; this record of {}, version {}, from {} to {}, with these reasons existed not later than {}, and was made by {by}; it belongs to user {owner}{cosigned}",
        place(verified.index, &verified.checkpoint),
        verified.record["id"].as_str().unwrap_or_default(),
        entry.version,
        entry.from.as_deref().unwrap_or("nothing"),
        entry.to,
        entry.recorded_at
    );
    Ok(())
}

fn verify_opening(
    receipt: &Value,
    trusted: &TrustedKeys,
    user: Option<&str>,
) -> Result<(), Failure> {
    let receipt = OpeningReceipt::parse(&receipt.to_string()).map_err(not_verified)?;
    let verified = receipt.verify(&trusted.keys, user).map_err(not_verified)?;
    let cosigned = cosigned_by(&receipt.proof, trusted)?;
    let owner = match user {
        Some(user) => format!("the device of user {user}"),
        None => "a device (the owner was not checked: use --user)".to_owned(),
    };
    let entry = &verified.entry;
    out!(
        "verified: {}; {owner} reported that it drew notice {} with the document {} at {} by its clock, recorded at {}{cosigned}",
        place(verified.index, &verified.checkpoint),
        entry.terms_and_conditions_id,
        entry.sha256,
        entry.opened_at,
        entry.recorded_at
    );
    Ok(())
}

/// The proof of a message has no key, so that it does not show who the person is.
fn verify_message(
    receipt: &Value,
    key: Option<&str>,
    trusted: &TrustedKeys,
    user: Option<&str>,
) -> Result<(), Failure> {
    let receipt = MessageReceipt::parse(&receipt.to_string()).map_err(not_verified)?;
    let verified = receipt.verify(&trusted.keys).map_err(not_verified)?;
    let cosigned = cosigned_by(&receipt.proof, trusted)?;
    let (record, entry) = (&verified.record, &verified.entry);
    let recipient = match (user, key.map(SubjectKey::from_base64url)) {
        (None, _) => "the recipient was not checked".to_owned(),
        (Some(user), Some(Ok(key))) if key.subject(user) == record.subject => {
            format!("to user {user}")
        }
        (Some(_), Some(_)) => return Err(not_verified("the message is to another person")),
        (Some(_), None) => {
            return Err(not_verified(
                "the proof of a message does not contain the key of the person; 'case verify' checks who it was sent to",
            ));
        }
    };
    out!(
        "verified: {}; message {} of campaign {} with the text {} was sent by {} at {}, recorded at {}; {recipient}{cosigned}",
        place(verified.index, &verified.checkpoint),
        record.message,
        record.campaign,
        record.sha256,
        record.channel.as_str(),
        record.sent_at,
        entry.recorded_at
    );
    Ok(())
}
