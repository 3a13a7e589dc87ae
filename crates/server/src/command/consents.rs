mod export;
mod import;

use clap::Subcommand;
use musette_core::instant::Instant;

use super::Failure;
use crate::settings::TestSettings;

#[derive(Debug, Subcommand)]
pub enum ConsentsCommand {
    /// Write every decision to stdout
    Export(export::ExportConsentsArgs),
    /// Import decisions that were made elsewhere; one invalid line rejects the whole file
    Import(import::ImportConsentsArgs),
}

pub fn instant(text: &str) -> Result<Instant, String> {
    Instant::parse(text).map_err(|error| format!("{error}, such as 2026-11-21T09:30:00Z"))
}

pub async fn run(command: ConsentsCommand, test: TestSettings) -> Result<(), Failure> {
    match command {
        ConsentsCommand::Export(args) => export::run(args, test).await,
        ConsentsCommand::Import(args) => import::run(args, test).await,
    }
}
