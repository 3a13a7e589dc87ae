use std::fs::File;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Subcommand};
use musette_core::instant::Instant;
use musette_core::log::key::VerifierKey;

use super::consents::instant;
use super::event::CommandEvent;
use super::log::tsa_authorities;
use super::{Failure, Progress, counted, open, policy};
use crate::evidence::case::{Case, CaseError, CaseQuery, Trust, verify};
use crate::evidence::log::receipt_key;
use crate::platform::private_files;
use crate::platform::text_file;
use crate::settings::{StoreArgs, TestSettings};

/// The first bytes of a ZIP archive.
const ZIP_PREFIX: &[u8] = b"PK";

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct CaseArgs {
    #[command(subcommand)]
    command: Option<CaseCommand>,
    #[command(flatten)]
    store: StoreArgs,
    /// ID of the user
    #[arg(long, value_name = "ID", required = true)]
    user: Option<String>,
    /// File to write
    #[arg(long, value_name = "FILE", required = true)]
    out: Option<PathBuf>,
    /// Language of the page and the certificates, such as de
    #[arg(long, value_name = "TAG", default_value = "en")]
    locale: String,
    /// Leaves out records that are newer than this RFC 3339 time
    #[arg(long, value_name = "TIME", value_parser = instant)]
    as_of: Option<Instant>,
}

#[derive(Debug, Subcommand)]
pub enum CaseCommand {
    /// Verify a case file without a store; with exit code 1, print each file that is wrong
    Verify(VerifyCaseArgs),
}

#[derive(Debug, Args)]
pub struct VerifyCaseArgs {
    /// The ZIP file
    file: PathBuf,
    /// Trusted verifier keys, one vkey per line; by default those in the file itself
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// Certificates (PEM) of the time-stamping authorities that are trusted; by default their
    /// tokens are verified, but not who signed them
    #[arg(long, value_name = "FILE")]
    tsa_ca: Option<PathBuf>,
    /// Policy file (C2SP tlog-policy) whose quorum of witnesses must have cosigned each head
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// Demand a signature of each head by a trusted ML-DSA-44 key of its log
    #[arg(long)]
    require_ml_dsa: bool,
}

impl From<CaseError> for Failure {
    fn from(error: CaseError) -> Self {
        match error {
            CaseError::Store(error) => error.into(),
            error => Self::refused(error),
        }
    }
}

pub async fn run(args: CaseArgs, test: TestSettings) -> Result<(), Failure> {
    match args {
        CaseArgs { command: Some(CaseCommand::Verify(args)), .. } => check(&args),
        CaseArgs { user: Some(user), out: Some(out), store, locale, as_of, .. } => {
            let making = Making { user, out, locale, as_of };
            make(&store, making, test).await
        }
        _ => Err(Failure::Usage("--user and --out are required".into())),
    }
}

struct Making {
    user: String,
    out: PathBuf,
    locale: String,
    as_of: Option<Instant>,
}

async fn make(store: &StoreArgs, making: Making, test: TestSettings) -> Result<(), Failure> {
    let Making { user, out, locale, as_of } = making;
    if as_of.is_some_and(|at| at > test.clock.now()) {
        return Err(Failure::Usage("--as-of must not be in the future".into()));
    }
    private_files::check_replaceable(&out, ZIP_PREFIX)
        .map_err(|why| Failure::Refused(format!("--out {}: {why}", out.display())))?;
    let store = open(store).await?;
    let person = store.person(&user).await?;
    let person = person.ok_or_else(|| Failure::Refused("no user has this ID".into()))?;
    let subject = person.subject.clone();
    let key = receipt_key(&store).await?;
    let catalog = Arc::new(store.catalog().await?);
    let query = CaseQuery { person, as_of, locale };
    let mut case = Case::new(Arc::clone(&store), &key, catalog, query).await?;
    let written = write(&mut case, &out).await;
    if written.is_err() {
        // An incomplete case file is useless.
        let _ = std::fs::remove_file(partial_path(&out));
    }
    written?;
    let event = CommandEvent::new("case_file_made").to(&subject);
    let event = match as_of {
        Some(as_of) => event.detail(as_of.to_string()),
        None => event,
    };
    event.record(&store, test.clock.now()).await?;
    Ok(())
}

fn partial_path(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".partial");
    name.into()
}

/// Writes to a temporary file, and renames it when it is complete and on disk.
async fn write(case: &mut Case, out: &Path) -> Result<(), Failure> {
    let named = |error: std::io::Error| Failure::Refused(format!("{}: {error}", out.display()));
    let partial = partial_path(out);
    let new = File::options().write(true).create(true).truncate(true).mode(0o600).open(&partial);
    let mut file = new.map_err(named)?;
    let mut progress = Progress::new("bytes written");
    let mut bytes = 0;
    while let Some(piece) = case.next().await? {
        file.write_all(&piece).map_err(named)?;
        bytes += piece.len() as u64;
        progress.at(bytes);
    }
    file.sync_all().map_err(named)?;
    std::fs::rename(&partial, out).map_err(named)?;
    progress.end(bytes);
    Ok(())
}

fn check(args: &VerifyCaseArgs) -> Result<(), Failure> {
    let keys = args.key.as_ref().map(|file| {
        let text = text_file::read(file)
            .map_err(|error| Failure::Refused(format!("{}: {error}", file.display())))?;
        VerifierKey::parse_list(&text)
            .map_err(|error| Failure::Usage(format!("--key {}: {error}", file.display())))
    });
    let policy = args.policy.as_deref().map(policy::read).transpose()?;
    let keys = match policy.as_ref().and_then(policy::keys) {
        Some(keys) => Some(keys),
        None => keys.transpose()?,
    };
    let authorities = args.tsa_ca.as_deref().map(tsa_authorities).transpose()?;
    let (authorities, policy) = (authorities.as_ref(), policy.as_ref());
    let requires_ml_dsa = args.require_ml_dsa;
    let trust = Trust { keys: keys.as_deref(), authorities, policy, requires_ml_dsa };
    let verified = verify(&args.file, &trust).map_err(|errors| {
        let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
        Failure::Refused(format!("not verified: {}", lines.join("\n")))
    })?;
    let until = verified.as_of.map(|at| format!(" as of {at}")).unwrap_or_default();
    if verified.origins.is_empty() {
        out!(
            "nothing to verify: case of user {}{until} has no receipt and no entry of the log; {} as listed in the manifest, which is not signed",
            verified.user_id,
            counted(verified.files, "file", "files"),
        );
        return Ok(());
    }
    let optional = [
        (verified.evaluations, "evaluation", "evaluations"),
        (verified.restrictions, "restriction", "restrictions"),
        (verified.messages, "message", "messages"),
        (verified.timestamps, "time stamp", "time stamps"),
    ];
    let optional = optional.into_iter().filter(|(count, ..)| *count > 0);
    let more: String =
        optional.map(|(count, one, many)| format!(", {}", counted(count, one, many))).collect();
    out!(
        "verified: case of user {}{until}: {}, {}, {}, {}{more}; log {}",
        verified.user_id,
        counted(verified.files, "file", "files"),
        counted(verified.receipts, "receipt", "receipts"),
        counted(verified.decisions, "decision", "decisions"),
        counted(verified.documents, "document", "documents"),
        verified.origins.join(", "),
    );
    if keys.is_none() {
        out!(
            "the keys in the file itself were trusted: compare log/keys.txt with a copy from another place, or use --key"
        );
    }
    Ok(())
}
