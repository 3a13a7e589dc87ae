use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Subcommand, ValueEnum};
use musette_core::causes::by_cause;
use musette_core::flags::import::{self, Imported};
use musette_core::flags::{
    Diagnostic, Document, MalformedKey, changed_weights, typescript, unknown_members, within_budget,
};
use musette_store::Store;
use serde_json::json;

use super::event::COMMAND;
use super::{Failure, counted, open, output, wait_until_flags_served};
use crate::flags::ruleset::diff::{ChangeKind, ObjectDiff, diff};
use crate::flags::ruleset::reading::ParseOrder;
use crate::flags::ruleset::saving;
use crate::flags::ruleset::saving::{Base, ChangeMetadata};
use crate::flags::ruleset::{is_environment_name, new_keys, notices};
use crate::platform::text_file;
use crate::settings::{StoreArgs, TestSettings};

#[derive(Debug, Subcommand)]
pub enum FlagsCommand {
    /// Save a document as the current configuration of an environment
    Import(ImportFlagsArgs),
    /// Print the current configuration
    Export(ExportFlagsArgs),
    /// Check a document and print all its errors
    Check(CheckArgs),
    /// Show what the import of a document would change
    Diff(DiffArgs),
    /// Print TypeScript types of the flag keys and values
    Types(ExportFlagsArgs),
}

#[derive(Debug, Args)]
pub struct ImportFlagsArgs {
    #[command(flatten)]
    store: StoreArgs,
    /// File to import; `-` reads standard input
    file: PathBuf,
    /// Environment to import into, whatever the document names; created if it does not exist
    #[arg(long, value_name = "ENVIRONMENT", value_parser = environment)]
    env: String,
    /// Reason of the change, for the history
    #[arg(long, value_parser = comment)]
    comment: Option<String>,
    /// Reject the import if another version is current, because it would undo later changes
    #[arg(long, value_name = "VERSION")]
    if_version: Option<i64>,
    /// Convert the format of another service; members that cannot be converted are listed
    #[arg(long, value_enum)]
    from: Option<Foreign>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Foreign {
    Unleash,
    Growthbook,
    Flagd,
}

#[derive(Debug, Args)]
pub struct ExportFlagsArgs {
    #[command(flatten)]
    store: StoreArgs,
    #[arg(long, value_name = "ENVIRONMENT", value_parser = environment)]
    env: String,
}

#[derive(Debug, Args)]
pub struct CheckArgs {
    /// File to check; `-` reads standard input
    file: PathBuf,
    /// Print `{"faults":[{"pointer","code","detail"}],"unknown_members":[pointer]}`
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub struct DiffArgs {
    #[command(flatten)]
    store: StoreArgs,
    /// File to compare; `-` reads standard input
    file: PathBuf,
    #[arg(long, value_name = "ENVIRONMENT", value_parser = environment)]
    env: String,
    /// Print `{"from","objects":[…]}`
    #[arg(long)]
    json: bool,
}

pub fn environment(text: &str) -> Result<String, String> {
    is_environment_name(text).then(|| text.to_owned()).ok_or_else(|| {
        "an environment has 1 to 64 letters, digits, '.', '_' or '-', the first a letter or digit"
            .into()
    })
}

fn comment(text: &str) -> Result<String, String> {
    let is_good = saving::is_comment(text);
    is_good.then(|| text.to_owned()).ok_or_else(|| "it must have 1 to 1000 characters".into())
}

pub async fn run(command: FlagsCommand, test: TestSettings) -> Result<(), Failure> {
    match command {
        FlagsCommand::Import(args) => import(args, test).await,
        FlagsCommand::Export(args) => {
            let (_, base) = open_environment(&args.store, &args.env).await?;
            output::print(format_args!("{}", base.document.to_json()));
            Ok(())
        }
        FlagsCommand::Check(args) => check(&args),
        FlagsCommand::Diff(args) => compare(args).await,
        FlagsCommand::Types(args) => {
            let (_, base) = open_environment(&args.store, &args.env).await?;
            output::print(format_args!("{}", typescript::types(&base.document)));
            Ok(())
        }
    }
}

fn read(file: &Path) -> Result<String, Failure> {
    let named = |error: std::io::Error| Failure::Refused(format!("{}: {error}", file.display()));
    if file == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).map_err(named)?;
        return text_file::text(bytes).map_err(named);
    }
    text_file::read(file).map_err(named)
}

/// Prints one line for each cause, with the place of its first error, and returns a failure with
/// the number of errors.
fn invalid_file(file: &Path, errors: &[Diagnostic]) -> Failure {
    for cause in by_cause(errors, |error| format!("{} {}", error.code, error.detail)) {
        out!("{}{}", cause.first, cause.more());
    }
    Failure::Refused(summary(file, errors.len()))
}

fn summary(file: &Path, errors: usize) -> String {
    format!("{}: {}", file.display(), counted(errors, "error", "errors"))
}

/// Opens the store and reads the current configuration of the environment.
async fn open_environment(args: &StoreArgs, env: &str) -> Result<(Arc<Store>, Base), Failure> {
    let store = open(args).await?;
    let base = saving::current(&store, ParseOrder::AtOnce, env).await?;
    let base =
        base.ok_or_else(|| Failure::Refused(format!("the environment '{env}' does not exist")))?;
    Ok((store, base))
}

fn check(args: &CheckArgs) -> Result<(), Failure> {
    let text = read(&args.file)?;
    let (errors, unknown) = match check_document(&text) {
        Ok(document) => (Vec::new(), unknown_members(&text, &document)),
        Err(errors) => (errors, Vec::new()),
    };
    if args.json {
        let listed: Vec<_> = errors
            .iter()
            .map(|error| {
                            json!({"pointer": error.pointer, "code": error.code, "detail": error.detail})
                        })
            .collect();
        out!("{}", json!({"faults": listed, "unknown_members": unknown}));
    } else {
        warn_of_unknown_members(&unknown);
    }
    match errors.len() {
        0 => Ok(()),
        count if args.json => Err(Failure::Refused(summary(&args.file, count))),
        _ => Err(invalid_file(&args.file, &errors)),
    }
}

fn warn_of_unknown_members(unknown: &[String]) {
    for pointer in unknown {
        note!("warning: {pointer} is ignored: the format has no such member");
    }
}

/// Checks a document as the server does, with its budget for regular expressions but without a time
/// limit.
fn check_document(text: &str) -> Result<Document, Vec<Diagnostic>> {
    within_budget(text, || true).map_err(|error| vec![error])?;
    Document::parse(text)
}

/// Reads the document from the file, and lists the members that could not be converted.
fn document(args: &ImportFlagsArgs) -> Result<Imported, Failure> {
    let text = read(&args.file)?;
    let imported = match args.from {
        None => check_document(&text).map(|document| {
            warn_of_unknown_members(&unknown_members(&text, &document));
            Imported { document, left_out: Vec::new() }
        }),
        Some(Foreign::Unleash) => import::unleash(&text, &args.env),
        Some(Foreign::Growthbook) => import::growthbook(&text),
        Some(Foreign::Flagd) => import::flagd(&text),
    };
    imported.map_err(|errors| invalid_file(&args.file, &errors))
}

/// Converts malformed new keys of another service, and rejects those of a native document.
async fn convert_new_keys(
    store: &Store,
    args: &ImportFlagsArgs,
    imported: Imported,
) -> Result<Imported, Failure> {
    let malformed = new_keys::malformed(store, &imported.document).await?;
    if malformed.is_empty() {
        return Ok(imported);
    }
    if args.from.is_some() {
        let converted = import::with_new_keys(imported, &malformed);
        return converted.map_err(|errors| invalid_file(&args.file, &errors));
    }
    let errors: Vec<Diagnostic> = malformed.iter().map(MalformedKey::diagnostic).collect();
    Err(invalid_file(&args.file, &errors))
}

async fn import(args: ImportFlagsArgs, test: TestSettings) -> Result<(), Failure> {
    let imported = document(&args)?;
    let store = open(&args.store).await?;
    let Imported { document, left_out } = convert_new_keys(&store, &args, imported).await?;
    let errors = notices::errors(&store, &document).await?;
    if !errors.is_empty() {
        return Err(invalid_file(&args.file, &errors));
    }
    let now = test.clock.now();
    if store.flag_environment(&args.env).await?.is_none() {
        if args.if_version.is_some() {
            return Err(Failure::Refused(format!("the environment '{}' does not exist", args.env)));
        }
        saving::audit(&store, "flag_environment_added", &args.env, "", Some(COMMAND), now).await?;
    }
    store.add_flag_environment(&args.env, now).await?;
    let by = ChangeMetadata {
        author: Some(COMMAND),
        comment: args.comment.as_deref(),
        ..ChangeMetadata::SCHEDULE
    };
    let mut warnings = Vec::new();
    let saved = saving::save_onto(&store, &args.env, by, now, |base| match args.if_version {
        Some(version) if version != base.version => Err(Failure::Refused(format!(
            "version {} is current, not {version}: nothing was changed; export the current version and apply your change to it",
            base.version
        ))),
        _ => {
            warnings = changed_weights(&base.document, &document);
            Ok(Some(document.clone()))
        }
    });
    let version = saved.await?.unwrap_or(0);
    warnings.extend(notices::warnings(&store, &args.env, version, &document, now).await?);
    for warning in &warnings {
        note!("warning: {warning}");
    }
    wait_until_flags_served(&store, test).await?;
    let mut output = json!({"environment": args.env, "version": version});
    if args.from.is_some() {
        output["left_out"] = json!(left_out);
    }
    out!("{output}");
    Ok(())
}

async fn compare(args: DiffArgs) -> Result<(), Failure> {
    let document =
        Document::parse(&read(&args.file)?).map_err(|errors| invalid_file(&args.file, &errors))?;
    let (_, base) = open_environment(&args.store, &args.env).await?;
    let objects = diff(&base.document, &document);
    if args.json {
        out!("{}", json!({"from": base.version, "objects": objects}));
    } else {
        objects.iter().for_each(print);
    }
    Ok(())
}

/// Prints an object with its sign (`+` added, `-` removed, `~` changed), and below it each change.
fn print(object: &ObjectDiff) {
    let sign = match object.how {
        ChangeKind::Added => '+',
        ChangeKind::Removed => '-',
        ChangeKind::Changed => '~',
    };
    out!("{sign} {}/{}", object.section, object.key);
    let text = |value: &Option<serde_json::Value>| {
        value.as_ref().map_or_else(|| "nothing".to_owned(), ToString::to_string)
    };
    for change in &object.changes {
        out!("    {}: {} → {}", change.pointer, text(&change.before), text(&change.after));
    }
}
