use clap::{Args, Subcommand, ValueEnum};
use serde_json::json;

use super::event::COMMAND;
use super::flags::environment;
use super::{Failure, open, wait_until_flags_served};
use crate::ruleset::KeyKind;
use crate::ruleset::keys::{self, NewKey};
use crate::settings::{StoreArgs, TestSettings};

#[derive(Debug, Subcommand)]
pub enum KeyCommand {
    /// Make a key and print it, this once
    Create(CreateArgs),
    /// From now on it opens nothing
    Revoke(RevokeArgs),
}

#[derive(Debug, Args)]
pub struct CreateArgs {
    #[command(flatten)]
    store: StoreArgs,
    /// Environment that it opens; made if it is not there
    #[arg(long, value_name = "ENVIRONMENT", value_parser = environment)]
    env: String,
    /// client: in applications that people hold in their hands, for client-visible flags only
    #[arg(long, value_enum)]
    kind: Kind,
    /// It may see why a flag has its value, and with it the rules
    #[arg(long)]
    debug: bool,
    /// What it is for
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
pub struct RevokeArgs {
    #[command(flatten)]
    store: StoreArgs,
    /// The id that `key create` printed
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

async fn create(args: CreateArgs, test: TestSettings) -> Result<(), Failure> {
    let store = open(&args.store).await?;
    let found = store.flag_environment(&args.env).await?;
    if found.is_some_and(|it| it.archived_at.is_some()) {
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
    if args.json {
        println!("{}", json!({"id": created.id, "key": created.key}));
    } else {
        println!("{}", created.key);
        eprintln!("{}", created.id);
    }
    Ok(())
}

async fn revoke(args: RevokeArgs, test: TestSettings) -> Result<(), Failure> {
    let store = open(&args.store).await?;
    let Some(key) = store.flag_key(&args.id).await? else {
        return Err(Failure::Refused(format!("there is no key '{}'", args.id)));
    };
    if !keys::revoke(&store, &key, Some(COMMAND), test.clock.now()).await? {
        return Err(Failure::Refused(format!("the key '{}' is revoked already", args.id)));
    }
    wait_until_flags_served(&store, test).await?;
    println!("{}", json!({"id": args.id, "revoked": true}));
    Ok(())
}
