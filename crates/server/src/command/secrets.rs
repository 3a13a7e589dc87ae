use std::path::PathBuf;

use clap::{Args, Subcommand};
use musette_store::SecretsKeys;

use super::event::CommandEvent;
use super::{Failure, counted, open};
use crate::settings::{StoreArgs, TestSettings, secrets_keys};

#[derive(Debug, Subcommand)]
pub enum SecretsCommand {
    /// Encrypt all secrets with a new key
    Rotate(RotateArgs),
    /// Decrypt all secrets, so that the store can be read without a key
    Decrypt(StoreArgs),
}

#[derive(Debug, Args)]
pub struct RotateArgs {
    #[command(flatten)]
    store: StoreArgs,
    /// File with the new key; --secrets-key-file is the current one
    #[arg(long, value_name = "FILE")]
    new_key_file: PathBuf,
}

pub async fn run(command: SecretsCommand, test: TestSettings) -> Result<(), Failure> {
    let now = test.clock.now();
    match command {
        SecretsCommand::Rotate(args) => {
            let file = args.new_key_file.display();
            let keys = secrets_keys(&args.new_key_file)
                .map_err(|why| Failure::Usage(format!("--new-key-file {file}: {why}")))?;
            let store = open(&args.store).await?;
            let changed = store.reseal_secrets(&keys).await?;
            CommandEvent::new("secrets_rotated").record(&store, now).await?;
            let secrets = counted(changed, "secret", "secrets");
            out!("encrypted {secrets} with the first key in {file}");
        }
        SecretsCommand::Decrypt(args) => {
            let store = open(&args).await?;
            let changed = store.reseal_secrets(&SecretsKeys::default()).await?;
            CommandEvent::new("secrets_decrypted").record(&store, now).await?;
            out!("decrypted {}", counted(changed, "secret", "secrets"));
        }
    }
    Ok(())
}
