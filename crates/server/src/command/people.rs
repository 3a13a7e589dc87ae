use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::event::{COMMAND, CommandEvent};
use super::{Failure, open, wait_until_served};
use crate::people::import::{Import, Permission, Planned, Refused, import};
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
    /// With the column `id` and any of `email`, `phone`, `name`, `roles`, `market`, `locale`; an absent column changes
    /// nothing, an empty cell clears
    file: PathBuf,
    /// Judge every line, say what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
}

pub async fn run(command: PeopleCommand, test: TestSettings) -> Result<(), Failure> {
    let PeopleCommand::Import(args) = command;
    let bytes = std::fs::read(&args.file)
        .map_err(|error| Failure::Refused(format!("{}: {error}", args.file.display())))?;
    let store = open(&args.store).await?;
    let now = test.clock.now();
    let asked = Import {
        bytes: &bytes,
        permission: Permission::Everybody,
        actor: COMMAND,
        rows_max: usize::MAX,
        is_dry_run: args.dry_run,
    };
    let planned = import(&store, &asked, now).await;
    let Planned { changes, unchanged, .. } = planned.map_err(refused)?;
    let added = changes.iter().filter(|it| it.added).count();
    let changed = changes.len() - added;
    if args.dry_run {
        for change in &changes {
            let what = if change.added { "add" } else { "change" };
            let columns = change.columns.join(", ");
            println!("line {}: {what} {}: {columns}", change.line, change.user_id);
        }
        println!("would add {added} and change {changed} people; {unchanged} are the same");
        return Ok(());
    }
    if !changes.is_empty() {
        let detail = format!("{added} added, {changed} changed");
        CommandEvent::new("people_imported").detail(detail).record(&store, now).await?;
    }
    println!("added {added} and changed {changed} people; {unchanged} are the same");
    wait_until_served(&store, test).await
}

fn refused(refused: Refused) -> Failure {
    match refused {
        Refused::Rows(bad) => {
            for row in &bad {
                println!("line {}: {}: {}", row.line, row.code, row.detail);
            }
            Failure::Refused(format!("nothing was imported: {} bad lines", bad.len()))
        }
        Refused::LastAdmin => Failure::Refused("nobody would be an admin any more".into()),
        // A command runs with the rights of an admin who has just signed in.
        Refused::ContactDenied(_) | Refused::Denied | Refused::ReauthenticationRequired => {
            Failure::Refused("the file is about roles other than rider".into())
        }
        Refused::Store(error) => error.into(),
    }
}
