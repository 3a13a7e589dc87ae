use clap::{Args, Subcommand};
use musette_core::instant::Instant;
use musette_core::session::RoleGrant;
use serde_json::json;

use super::event::CommandEvent;
use super::user::{role, warn_about_missing};
use super::{Failure, open, output, wait_until_served};
use crate::access::service_keys;
use crate::flags::ruleset::keys::is_name;
use crate::settings::{StoreArgs, TestSettings};

#[derive(Debug, Subcommand)]
pub enum ServiceKeyCommand {
    /// Create a key and print it as `{"id","key"}`; it cannot be shown again
    Create(CreateServiceKeyArgs),
    /// Revoke a key at once
    Revoke(RevokeServiceKeyArgs),
}

#[derive(Debug, Args)]
pub struct CreateServiceKeyArgs {
    #[command(flatten)]
    store: StoreArgs,
    /// Purpose of the key; the audit shows this name as the actor
    #[arg(long)]
    name: String,
    /// viewer, support, legal, product or operator, as for `user add`; may be given several times
    #[arg(long, value_name = "ROLE", value_parser = role, required = true)]
    role: Vec<RoleGrant>,
    /// RFC 3339 time at which the key expires
    #[arg(long, value_name = "T")]
    expires: Option<String>,
}

#[derive(Debug, Args)]
pub struct RevokeServiceKeyArgs {
    #[command(flatten)]
    store: StoreArgs,
    /// The ID that `service-key create` printed
    id: String,
}

pub async fn run(command: ServiceKeyCommand, test: TestSettings) -> Result<(), Failure> {
    match command {
        ServiceKeyCommand::Create(args) => create(args, test).await,
        ServiceKeyCommand::Revoke(args) => revoke(args, test).await,
    }
}

async fn create(args: CreateServiceKeyArgs, test: TestSettings) -> Result<(), Failure> {
    let now = test.clock.now();
    if !is_name(&args.name) {
        return Err(Failure::Usage("--name: a name has 1 to 200 characters".into()));
    }
    if service_keys::has_human_role(&args.role) {
        return Err(Failure::Usage(
            "--role: reviewer and representative are for people only (human_role)".into(),
        ));
    }
    if !service_keys::may_have(&args.role) {
        return Err(Failure::Usage(
            "--role: must be a role of the console other than admin".into(),
        ));
    }
    let expires = match args.expires.as_deref().map(Instant::parse) {
        None => None,
        Some(Ok(at)) if at > now => Some(at),
        Some(_) => {
            return Err(Failure::Usage("--expires: must be an RFC 3339 time in the future".into()));
        }
    };
    let store = open(&args.store).await?;
    warn_about_missing(&store, &args.role).await?;
    let created = service_keys::create(&store, &args.name, &args.role, expires, None, now).await?;
    let detail = format!("{} {}", created.id, args.name);
    CommandEvent::new("service_key_created").detail(detail).record(&store, now).await?;
    let shown = output::print_once(&json!({"id": created.id, "key": created.key}).to_string());
    if shown.is_err() {
        store.revoke_service_key(&created.id, now).await?;
        let detail = format!("{} {}", created.id, args.name);
        CommandEvent::new("service_key_revoked").detail(detail).record(&store, now).await?;
    }
    wait_until_served(&store, test).await?;
    shown
}

async fn revoke(args: RevokeServiceKeyArgs, test: TestSettings) -> Result<(), Failure> {
    let store = open(&args.store).await?;
    let now = test.clock.now();
    let Some(key) = store.service_key(&args.id).await? else {
        return Err(Failure::Refused(format!("the key '{}' does not exist", args.id)));
    };
    if !store.revoke_service_key(&args.id, now).await? {
        return Err(Failure::Refused(format!("the key '{}' is already revoked", args.id)));
    }
    let detail = format!("{} {}", key.id, key.name);
    CommandEvent::new("service_key_revoked").detail(detail).record(&store, now).await?;
    out!("{}", json!({"id": args.id, "revoked": true}));
    wait_until_served(&store, test).await
}
