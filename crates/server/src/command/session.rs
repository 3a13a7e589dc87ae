use clap::Subcommand;
use musette_core::instant::Instant;
use serde_json::json;

use super::event::CommandEvent;
use super::{Failure, open, wait_until_served};
use crate::sessions::keys;
use crate::settings::{StoreArgs, TestSettings};

#[derive(Debug, Subcommand)]
pub enum SessionCommand {
    /// Create the next signing key: published now, used for signing from tomorrow
    RotateKeys(StoreArgs),
}

pub async fn run(command: SessionCommand, test: TestSettings) -> Result<(), Failure> {
    let SessionCommand::RotateKeys(args) = command;
    let store = open(&args).await?;
    let now = test.clock.now();
    // Creates the first key if there is none yet.
    keys::TokenKeys::load(&store, now).await?;
    let Some(next) = keys::add_next(&store, now).await? else {
        return Err(Failure::Refused(
            "the next key already exists and is not in use yet: wait until it signs".into(),
        ));
    };
    CommandEvent::new("signing_key_added").record(&store, now).await?;
    let signs_from = Instant::from_millis(next.signs_from).to_string();
    out!("{}", json!({"kid": next.kid, "signs_from": signs_from}));
    wait_until_served(&store, test).await
}
