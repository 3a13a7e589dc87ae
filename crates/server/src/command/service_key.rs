use clap::{Args, Subcommand};
use musette_core::instant::Instant;
use musette_core::session::RoleGrant;
use serde_json::json;

use super::event::CommandEvent;
use super::user::{role, warn_of_missing};
use super::{Failure, open, wait_until_served};
use crate::ruleset::keys::is_name;
use crate::service_keys;
use crate::settings::{StoreArgs, TestSettings};

#[derive(Debug, Subcommand)]
pub enum ServiceKeyCommand {
    /// Make a key and print it as `{"id","key"}`, this once
    Create(CreateArgs),
    /// From now on it opens nothing
    Revoke(RevokeArgs),
}

#[derive(Debug, Args)]
pub struct CreateArgs {
    #[command(flatten)]
    store: StoreArgs,
    /// What it is for; the audit names by it what the key does
    #[arg(long)]
    name: String,
    /// viewer, support, legal, product or operator, as in `user add`; may stand several times
    #[arg(long, value_name = "ROLE", value_parser = role, required = true)]
    role: Vec<RoleGrant>,
    /// From when on it is refused, in RFC 3339
    #[arg(long, value_name = "T")]
    expires: Option<String>,
}

#[derive(Debug, Args)]
pub struct RevokeArgs {
    #[command(flatten)]
    store: StoreArgs,
    /// The id that `service-key create` printed
    id: String,
}

pub async fn run(command: ServiceKeyCommand, test: TestSettings) -> Result<(), Failure> {
    match command {
        ServiceKeyCommand::Create(args) => create(args, test).await,
        ServiceKeyCommand::Revoke(args) => revoke(args, test).await,
    }
}

async fn create(args: CreateArgs, test: TestSettings) -> Result<(), Failure> {
    let now = test.clock.now();
    if !is_name(&args.name) {
        return Err(Failure::Usage("--name: a name has 1 to 200 characters".into()));
    }
    if !service_keys::may_have(&args.role) {
        return Err(Failure::Usage("--role: a role of the console, and never admin".into()));
    }
    let expires = match args.expires.as_deref().map(Instant::parse) {
        None => None,
        Some(Ok(at)) if at > now => Some(at),
        Some(_) => return Err(Failure::Usage("--expires: an RFC 3339 instant ahead".into())),
    };
    let store = open(&args.store).await?;
    warn_of_missing(&store, &args.role).await?;
    let created = service_keys::create(&store, &args.name, &args.role, expires, None, now).await?;
    let detail = format!("{} {}", created.id, args.name);
    CommandEvent::new("service_key_created").detail(detail).record(&store, now).await?;
    println!("{}", json!({"id": created.id, "key": created.key}));
    wait_until_served(&store, test).await
}

async fn revoke(args: RevokeArgs, test: TestSettings) -> Result<(), Failure> {
    let store = open(&args.store).await?;
    let now = test.clock.now();
    let Some(key) = store.service_key(&args.id).await? else {
        return Err(Failure::Refused(format!("there is no key '{}'", args.id)));
    };
    if !store.revoke_service_key(&args.id, now).await? {
        return Err(Failure::Refused(format!("the key '{}' is revoked already", args.id)));
    }
    let detail = format!("{} {}", key.id, key.name);
    CommandEvent::new("service_key_revoked").detail(detail).record(&store, now).await?;
    println!("{}", json!({"id": args.id, "revoked": true}));
    wait_until_served(&store, test).await
}
