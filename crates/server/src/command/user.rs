use clap::{Args, Subcommand};
use musette_core::session::Role;
use musette_store::NewUser;
use serde_json::json;

use super::{Failure, open, wait_until_served};
use crate::random;
use crate::settings::{StoreArgs, TestSettings};

#[derive(Debug, Subcommand)]
pub enum UserCommand {
    /// Add a user; repeating it adds what is new
    Add(UserAddArgs),
    /// Destroy all that says who this user is; the log stays as it is
    Erase(UserEraseArgs),
}

#[derive(Debug, Args)]
pub struct UserEraseArgs {
    #[command(flatten)]
    store: StoreArgs,
    #[arg(long)]
    id: String,
}

#[derive(Debug, Args)]
pub struct UserAddArgs {
    #[command(flatten)]
    store: StoreArgs,
    /// Id by which the company knows the person
    #[arg(long, value_parser = user_id)]
    id: String,
    /// rider (the default), worker, operator or admin; may stand several times
    #[arg(long, value_name = "ROLE", value_parser = role)]
    role: Vec<Role>,
    /// What the person is called
    #[arg(long, value_parser = short_text)]
    name: Option<String>,
    #[arg(long, value_parser = short_text)]
    email: Option<String>,
    #[arg(long, value_parser = short_text)]
    phone: Option<String>,
}

/// What can stand in a path and in a token.
fn user_id(text: &str) -> Result<String, String> {
    if (1..=128).contains(&text.chars().count()) && !text.chars().any(char::is_control) {
        Ok(text.to_owned())
    } else {
        Err("a user id has 1 to 128 characters".into())
    }
}

fn short_text(text: &str) -> Result<String, String> {
    if (1..=200).contains(&text.chars().count()) && !text.chars().any(char::is_control) {
        Ok(text.to_owned())
    } else {
        Err("it must have 1 to 200 characters".into())
    }
}

fn role(text: &str) -> Result<Role, String> {
    Role::parse(text).ok_or_else(|| "a role is rider, worker, operator or admin".into())
}

pub async fn run(command: UserCommand, test: TestSettings) -> Result<(), Failure> {
    match command {
        UserCommand::Add(args) => add(args, test).await,
        UserCommand::Erase(args) => erase(args, test).await,
    }
}

async fn erase(args: UserEraseArgs, test: TestSettings) -> Result<(), Failure> {
    let store = open(&args.store).await?;
    if !store.erase_user(&args.id).await? {
        return Err(Failure::Refused("there is no such user".into()));
    }
    println!("{}", json!({"erased": true}));
    wait_until_served(&store, test).await
}

async fn add(args: UserAddArgs, test: TestSettings) -> Result<(), Failure> {
    let store = open(&args.store).await?;
    let roles = if args.role.is_empty() { vec![Role::Rider] } else { args.role };
    let new = NewUser {
        id: args.id,
        roles,
        name: args.name,
        email: args.email.map(|email| email.trim().to_lowercase()),
        phone: args.phone,
        subject: random::uuid(),
        subject_key: random::hex::<32>(),
    };
    let user = store.add_user(&new, test.clock.now()).await?;
    let roles: Vec<_> = user.roles.iter().map(|role| role.as_str()).collect();
    println!("{}", json!({"user_id": user.id, "roles": roles}));
    wait_until_served(&store, test).await
}
