use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use musette_core::log::checkpoint::Checkpoint;
use musette_core::log::entry::Entry;
use musette_core::log::hash::Hash;
use musette_core::log::key::VerifierKey;
use musette_core::log::note::Note;
use musette_core::log::policy::Policy;
use musette_core::log::receipt::{Receipt, SubjectCheck};
use musette_core::log::tlog_proof::TlogProof;
use musette_store::{Log, Store};

mod recorded;

use super::{Failure, open, policy};
use crate::platform::text_file;
use crate::settings::StoreArgs;

#[derive(Debug, Subcommand)]
pub enum ReceiptCommand {
    /// Verify that a receipt is authentic; with --key, without a store
    Verify(VerifyReceiptArgs),
}

#[derive(Debug, Args)]
pub struct VerifyReceiptArgs {
    #[command(flatten)]
    store: StoreArgs,
    /// Receipt file: the `.json`, the response to a submission, the `.tlog-proof`, the receipts of a
    /// decision about a person, of an opened notice or of a message, or the copy of a person's data
    file: PathBuf,
    /// Trusted verifier keys, one vkey per line; by default those of the store
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// The user ID that the receipt must belong to
    #[arg(long, value_name = "ID")]
    user: Option<String>,
    /// File with the log entry of a `.tlog-proof`; by default read from the store
    #[arg(long, value_name = "FILE")]
    entry: Option<PathBuf>,
    /// Policy file (C2SP tlog-policy) whose quorum of witnesses must have cosigned the checkpoint
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// Demand a signature of the checkpoint by a trusted ML-DSA-44 key of the log
    #[arg(long)]
    require_ml_dsa: bool,
}

/// The keys of the trusted logs, and the store that entries are read from.
struct TrustedKeys {
    keys: Vec<VerifierKey>,
    policy: Option<Policy>,
    requires_ml_dsa: bool,
    store: Option<std::sync::Arc<Store>>,
}

pub async fn run(command: ReceiptCommand) -> Result<(), Failure> {
    let ReceiptCommand::Verify(args) = command;
    let text = read(&args.file)?;
    let trusted = trusted_keys(&args).await?;
    if text.trim_start().starts_with('{') {
        verify_json(&text, &trusted, args.user.as_deref())
    } else {
        verify_proof(&text, &trusted, args.entry.as_deref()).await
    }
}

fn read(file: &Path) -> Result<String, Failure> {
    text_file::read(file).map_err(|error| Failure::Refused(format!("{}: {error}", file.display())))
}

async fn trusted_keys(args: &VerifyReceiptArgs) -> Result<TrustedKeys, Failure> {
    let policy = args.policy.as_deref().map(policy::read).transpose()?;
    let requires_ml_dsa = args.require_ml_dsa;
    if let Some(keys) = policy.as_ref().and_then(policy::keys) {
        return Ok(TrustedKeys { keys, policy, requires_ml_dsa, store: None });
    }
    if let Some(file) = &args.key {
        let keys = VerifierKey::parse_list(&read(file)?)
            .map_err(|error| Failure::Usage(format!("--key {}: {error}", file.display())))?;
        return Ok(TrustedKeys { keys, policy, requires_ml_dsa, store: None });
    }
    let store = open(&args.store).await?;
    let keys = store.logs().await?.iter().flat_map(Log::keys).collect();
    Ok(TrustedKeys { keys, policy, requires_ml_dsa, store: Some(store) })
}

fn not_verified(error: impl std::fmt::Display) -> Failure {
    Failure::Refused(format!("not verified: {error}"))
}

impl TrustedKeys {
    /// Demands the quorum and the signature by ML-DSA-44, and returns the end of the message.
    fn check_policy(&self, checkpoint: &str) -> Result<String, Failure> {
        if self.requires_ml_dsa {
            Checkpoint::demand_ml_dsa(checkpoint, &self.keys).map_err(not_verified)?;
        }
        let Some(policy) = &self.policy else { return Ok(String::new()) };
        let witnesses = policy::check(policy, checkpoint, &self.keys).map_err(not_verified)?;
        Ok(policy::cosigned_by(&witnesses))
    }
}

fn verify_json(text: &str, trusted: &TrustedKeys, user: Option<&str>) -> Result<(), Failure> {
    // The file may be the whole response to a submission, which contains the receipt.
    let response: Option<serde_json::Value> = serde_json::from_str(text).ok();
    if let Some(response) = &response
        && let Some(receipts) = recorded::receipts(response)
    {
        return receipts.iter().try_for_each(|receipt| receipt.verify(trusted, user));
    }
    let inner =
        response.as_ref().and_then(|response| response.get("receipt")).map(ToString::to_string);
    let receipt = Receipt::parse(inner.as_deref().unwrap_or(text)).map_err(not_verified)?;
    let verified = receipt.verify(&trusted.keys, user).map_err(not_verified)?;
    let proof = TlogProof::parse(&receipt.proof).map_err(not_verified)?;
    let cosigned = trusted.check_policy(&proof.checkpoint)?;
    let owner = match (verified.subject, user) {
        (SubjectCheck::Matches, Some(user)) => format!("it belongs to user {user}"),
        (SubjectCheck::Matches, None) => "it belongs to the person with this receipt ID".to_owned(),
        (SubjectCheck::NotClaimed, _) => "the owner was not checked (use --user)".to_owned(),
    };
    out!(
        "verified: entry {} of {}, recorded at {}; {owner}{cosigned}",
        verified.index,
        verified.checkpoint.origin,
        verified.submission.recorded_at
    );
    Ok(())
}

async fn verify_proof(
    text: &str,
    trusted: &TrustedKeys,
    entry: Option<&Path>,
) -> Result<(), Failure> {
    let proof = TlogProof::parse(text).map_err(not_verified)?;
    let entry = match (entry, &trusted.store) {
        (Some(file), _) => read(file)?,
        (None, Some(store)) => {
            let note = Note::parse(&proof.checkpoint).map_err(not_verified)?;
            let head = Checkpoint::parse(note.text()).map_err(not_verified)?;
            let entry = store.log_entry(&head.origin, proof.index).await?;
            entry.ok_or_else(|| not_verified("the store does not contain this entry"))?
        }
        (None, None) => {
            return Err(Failure::Usage("--key with a .tlog-proof also requires --entry".into()));
        }
    };
    let head = proof.verify(Hash::leaf(entry.as_bytes()), &trusted.keys).map_err(not_verified)?;
    let cosigned = trusted.check_policy(&proof.checkpoint)?;
    let entry = Entry::decode(&entry).map_err(not_verified)?;
    out!(
        "verified: entry {} of {}, recorded at {}{cosigned}",
        proof.index,
        head.origin,
        entry.recorded_at()
    );
    Ok(())
}
