use clap::{Args, Subcommand, ValueEnum};
use serde_json::json;

use super::event::COMMAND;
use super::flags::environment;
use super::{Failure, open, output, wait_until_flags_served};
use crate::flags::ruleset::KeyKind;
use crate::flags::ruleset::keys;
use crate::flags::ruleset::keys::NewKey;
use crate::settings::{StoreArgs, TestSettings};

#[derive(Debug, Subcommand)]
pub enum KeyCommand {
    /// Create a key and print it; it cannot be shown again
    Create(CreateKeyArgs),
    /// Revoke a key at once
    Revoke(RevokeKeyArgs),
}

#[derive(Debug, Args)]
pub struct CreateKeyArgs {
    #[command(flatten)]
    store: StoreArgs,
    /// Environment that the key gives access to; created if it does not exist
    #[arg(long, value_name = "ENVIRONMENT", value_parser = environment)]
    env: String,
    /// client: for apps on users' devices, only client-visible flags; server: for back ends, all
    /// flags
    #[arg(long, value_enum)]
    kind: Kind,
    /// Allow the key to request the reason of an evaluation, which reveals targeting rules
    #[arg(long)]
    debug: bool,
    /// Purpose of the key, shown in the console
    #[arg(long, value_parser = name)]
    name: Option<String>,
    /// Print `{"id","key"}`
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Kind {
    Client,
    Server,
}

#[derive(Debug, Args)]
pub struct RevokeKeyArgs {
    #[command(flatten)]
    store: StoreArgs,
    /// The ID that `key create` printed
    id: String,
}

fn name(text: &str) -> Result<String, String> {
    let is_good = keys::is_name(text);
    is_good.then(|| text.to_owned()).ok_or_else(|| "a name has 1 to 200 characters".into())
}

pub async fn run(command: KeyCommand, test: TestSettings) -> Result<(), Failure> {
    match command {
        KeyCommand::Create(args) => create(args, test).await,
        KeyCommand::Revoke(args) => revoke(args, test).await,
    }
}

async fn create(args: CreateKeyArgs, test: TestSettings) -> Result<(), Failure> {
    let store = open(&args.store).await?;
    let environment = store.flag_environment(&args.env).await?;
    if environment.is_some_and(|environment| environment.archived_at.is_some()) {
        return Err(Failure::Refused(format!("the environment '{}' is archived", args.env)));
    }
    let kind = match args.kind {
        Kind::Client => KeyKind::Client,
        Kind::Server => KeyKind::Server,
    };
    let name = args.name.as_deref();
    let new = NewKey { environment: &args.env, kind, debug: args.debug, name };
    let created = keys::create(&store, new, Some(COMMAND), test.clock.now()).await?;
    wait_until_flags_served(&store, test).await?;
    let shown = if args.json {
        output::print_once(&json!({"id": created.id, "key": created.key}).to_string())
    } else {
        note!("{}", created.id);
        output::print_once(&created.key)
    };
    if shown.is_err()
        && let Some(key) = store.flag_key(&created.id).await?
    {
        keys::revoke(&store, &key, Some(COMMAND), test.clock.now()).await?;
    }
    shown
}

async fn revoke(args: RevokeKeyArgs, test: TestSettings) -> Result<(), Failure> {
    let store = open(&args.store).await?;
    let Some(key) = store.flag_key(&args.id).await? else {
        return Err(Failure::Refused(format!("the key '{}' does not exist", args.id)));
    };
    if !keys::revoke(&store, &key, Some(COMMAND), test.clock.now()).await? {
        return Err(Failure::Refused(format!("the key '{}' is already revoked", args.id)));
    }
    wait_until_flags_served(&store, test).await?;
    out!("{}", json!({"id": args.id, "revoked": true}));
    Ok(())
}
