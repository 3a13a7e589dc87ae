use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use musette_core::log::checkpoint::Checkpoint;
use musette_core::log::entry::Entry;
use musette_core::log::hash::Hash;
use musette_core::log::key::VerifierKey;
use musette_core::log::note::Note;
use musette_core::log::receipt::{Receipt, SubjectCheck};
use musette_core::log::tlog_proof::TlogProof;
use musette_store::Store;

use super::{Failure, open};
use crate::settings::StoreArgs;
use crate::text_file;

#[derive(Debug, Subcommand)]
pub enum ReceiptCommand {
    /// Check that a receipt is genuine; with --key without any store
    Verify(VerifyArgs),
}

#[derive(Debug, Args)]
pub struct VerifyArgs {
    #[command(flatten)]
    store: StoreArgs,
    /// Receipt: the `.json`, the answer of a submission, or the `.tlog-proof`
    file: PathBuf,
    /// Verifier keys, one vkey a line; else those of the store
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// The user id that the receipt shall be of
    #[arg(long, value_name = "ID")]
    user: Option<String>,
    /// The entry that a `.tlog-proof` is of; else it is looked up in the store
    #[arg(long, value_name = "FILE")]
    entry: Option<PathBuf>,
}

/// The keys of the logs that are trusted, and the store to look entries up in.
struct TrustedKeys {
    keys: Vec<VerifierKey>,
    store: Option<std::sync::Arc<Store>>,
}

pub async fn run(command: ReceiptCommand) -> Result<(), Failure> {
    let ReceiptCommand::Verify(args) = command;
    let text = read(&args.file)?;
    let trusted = trusted_keys(&args).await?;
    if text.trim_start().starts_with('{') {
        verify_json(&text, &trusted.keys, args.user.as_deref())
    } else {
        verify_proof(&text, &trusted, args.entry.as_deref()).await
    }
}

fn read(file: &Path) -> Result<String, Failure> {
    text_file::read(file).map_err(|error| Failure::Refused(format!("{}: {error}", file.display())))
}

async fn trusted_keys(args: &VerifyArgs) -> Result<TrustedKeys, Failure> {
    if let Some(file) = &args.key {
        let keys = VerifierKey::parse_list(&read(file)?)
            .map_err(|error| Failure::Usage(format!("--key {}: {error}", file.display())))?;
        return Ok(TrustedKeys { keys, store: None });
    }
    let store = open(&args.store).await?;
    let keys = store.logs().await?.into_iter().filter_map(|log| VerifierKey::parse(&log.vkey).ok());
    Ok(TrustedKeys { keys: keys.collect(), store: Some(store) })
}

fn not_verified(error: impl std::fmt::Display) -> Failure {
    Failure::Refused(format!("not verified: {error}"))
}

fn verify_json(text: &str, keys: &[VerifierKey], user: Option<&str>) -> Result<(), Failure> {
    // The whole answer of a submission holds the receipt.
    let answer: Option<serde_json::Value> = serde_json::from_str(text).ok();
    let inner = answer.as_ref().and_then(|answer| answer.get("receipt")).map(ToString::to_string);
    let receipt = Receipt::parse(inner.as_deref().unwrap_or(text)).map_err(not_verified)?;
    let verified = receipt.verify(keys, user).map_err(not_verified)?;
    let whose = match (verified.subject, user) {
        (SubjectCheck::Matches, Some(user)) => format!("it is the receipt of user {user}"),
        (SubjectCheck::Matches, None) => "it is the receipt of whoever holds its id".to_owned(),
        (SubjectCheck::NotClaimed, _) => "whose it is was not asked: --user".to_owned(),
    };
    println!(
        "verified: entry {} of {}, recorded at {}; {whose}",
        verified.index, verified.checkpoint.origin, verified.submission.recorded_at
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
            entry.ok_or_else(|| not_verified("the store has no such entry"))?
        }
        (None, None) => {
            return Err(Failure::Usage("a .tlog-proof with --key also needs --entry".into()));
        }
    };
    let head = proof.verify(Hash::leaf(entry.as_bytes()), &trusted.keys).map_err(not_verified)?;
    let logged = Entry::decode(&entry).map_err(not_verified)?;
    println!(
        "verified: entry {} of {}, recorded at {}",
        proof.index,
        head.origin,
        logged.recorded_at()
    );
    Ok(())
}
