use std::path::PathBuf;

use clap::{Args, Subcommand};
use musette_core::causes::by_cause;

use super::event::{COMMAND, CommandEvent};
use super::{Failure, counted, open, wait_until_served};
use crate::people::import::{ImportError, ImportFile, Permission, Planned, import};
use crate::settings::{StoreArgs, TestSettings};

#[derive(Debug, Subcommand)]
pub enum PeopleCommand {
    /// Add and change people from a CSV file, all or nothing
    Import(PeopleImportArgs),
}

#[derive(Debug, Args)]
pub struct PeopleImportArgs {
    #[command(flatten)]
    store: StoreArgs,
    /// CSV file with the column `id` and any of `email`, `phone`, `name`, `roles`, `market`,
    /// `locale`; an absent column changes nothing, an empty cell clears the value
    file: PathBuf,
    /// Check every line and print what would change, without changing it
    #[arg(long)]
    dry_run: bool,
}

pub async fn run(command: PeopleCommand, test: TestSettings) -> Result<(), Failure> {
    let PeopleCommand::Import(args) = command;
    let bytes = std::fs::read(&args.file)
        .map_err(|error| Failure::Refused(format!("{}: {error}", args.file.display())))?;
    let store = open(&args.store).await?;
    let now = test.clock.now();
    let request = ImportFile {
        bytes: &bytes,
        permission: Permission::Everybody,
        actor: COMMAND,
        rows_max: usize::MAX,
        is_dry_run: args.dry_run,
    };
    let planned = import(&store, &request, now).await;
    let Planned { changes, unchanged, .. } = planned.map_err(import_failure)?;
    let added = changes.iter().filter(|change| change.added).count();
    let changed = changes.len() - added;
    if args.dry_run {
        for change in &changes {
            let what = if change.added { "add" } else { "change" };
            let columns = change.columns.join(", ");
            out!("line {}: {what} {}: {columns}", change.line, change.user_id);
        }
        let people = counted(changed, "person", "people");
        out!("would add {added} and change {people}; {unchanged} unchanged");
        return Ok(());
    }
    if !changes.is_empty() {
        let detail = format!("{added} added, {changed} changed");
        CommandEvent::new("people_imported").detail(detail).record(&store, now).await?;
    }
    let people = counted(changed, "person", "people");
    out!("added {added} and changed {people}; {unchanged} unchanged");
    wait_until_served(&store, test).await
}

fn import_failure(rejection: ImportError) -> Failure {
    match rejection {
        ImportError::Rows(rows) => {
            let lines = counted(rows.len(), "invalid line", "invalid lines");
            for cause in by_cause(rows, |row| format!("{} {}", row.code, row.detail)) {
                let row = &cause.first;
                out!("line {}: {}: {}{}", row.line, row.code, row.detail, cause.more());
            }
            Failure::Refused(format!("nothing was imported: {lines}"))
        }
        ImportError::LastAdmin => Failure::Refused("the import would remove the last admin".into()),
        // Cannot happen here: a command has the rights of an admin who has just signed in.
        ImportError::ContactDenied(_)
        | ImportError::Denied
        | ImportError::ReauthenticationRequired => {
            Failure::Refused("the file changes roles other than rider".into())
        }
        ImportError::Store(error) => error.into(),
    }
}
