use std::path::PathBuf;

use clap::{Args, Subcommand};
use musette_store::SecretsKeys;

use super::{Failure, open};
use crate::settings::{StoreArgs, secrets_keys};

#[derive(Debug, Subcommand)]
pub enum SecretsCommand {
    /// Encrypt every secret anew, under another key
    Rotate(RotateArgs),
    /// Put every secret back as it is, so that it is readable without a key
    Decrypt(StoreArgs),
}

#[derive(Debug, Args)]
pub struct RotateArgs {
    #[command(flatten)]
    store: StoreArgs,
    /// File with the new key; the one of today is --secrets-key-file
    #[arg(long, value_name = "FILE")]
    new_key_file: PathBuf,
}

pub async fn run(command: SecretsCommand) -> Result<(), Failure> {
    match command {
        SecretsCommand::Rotate(args) => {
            let file = args.new_key_file.display();
            let keys = secrets_keys(&args.new_key_file)
                .map_err(|why| Failure::Usage(format!("--new-key-file {file}: {why}")))?;
            let changed = open(&args.store).await?.reseal_secrets(&keys).await?;
            println!("encrypted {changed} secrets under the first key in {file}");
        }
        SecretsCommand::Decrypt(args) => {
            let changed = open(&args).await?.reseal_secrets(&SecretsKeys::default()).await?;
            println!("decrypted {changed} secrets");
        }
    }
    Ok(())
}
