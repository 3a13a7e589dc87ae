use clap::{Args, Subcommand};
use musette_core::instant::Instant;
use musette_core::session::{Identifier, Role, RoleGrant};
use musette_store::{CredentialPart, NewUser, Store, User};
use serde_json::json;

use super::event::CommandEvent;
use super::{Failure, market, open, open_or_make, public_url, wait_until_served};
use crate::closed_sets::ROLE_NAMES;
use crate::markets::Markets;
use crate::passwords::{self, CHARS_MIN, SECOND_FACTOR_WITHIN, has_permitted_length};
use crate::people::{NAME_RULE, USER_ID_RULE, is_user_id, person_name};
use crate::random;
use crate::sessions::sign_in_link;
use crate::settings::{StoreArgs, TestSettings};
use crate::units::UnitKey;

/// Default address of the console.
const NOT_SERVED: &str = "http://127.0.0.1:8080";

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
    /// rider (the default), worker, viewer, support, legal, product, operator or admin; legal@DE or
    /// product@staging is for that market or environment only; may stand several times
    #[arg(long, value_name = "ROLE", value_parser = role)]
    role: Vec<RoleGrant>,
    /// What the person is called
    #[arg(long, value_parser = name)]
    name: Option<String>,
    #[arg(long, value_parser = email)]
    email: Option<String>,
    #[arg(long, value_parser = phone)]
    phone: Option<String>,
    /// Where the person works, such as DE or DE-BE.berlin
    #[arg(long, value_name = "CODE")]
    market: Option<String>,
    /// Read the password of an operator or admin from standard input
    #[arg(long)]
    password_stdin: bool,
    /// Make a new secret for the person's authenticator, and print it
    #[arg(long)]
    totp: bool,
    /// Where the console is; without it, where the server of this store is
    #[arg(long, env = "MUSETTE_PUBLIC_URL", hide = true)]
    public_url: Option<String>,
}

/// An id that can stand in a path and in a token.
fn user_id(text: &str) -> Result<String, String> {
    if is_user_id(text) { Ok(text.to_owned()) } else { Err(USER_ID_RULE.into()) }
}

fn name(text: &str) -> Result<String, String> {
    person_name(text).ok_or_else(|| NAME_RULE.into())
}

/// In the form in which it is looked up when somebody signs in.
fn email(text: &str) -> Result<String, String> {
    match Identifier::parse(text) {
        Some(Identifier::Email(email)) => Ok(email),
        _ => Err("it is not an e-mail address".into()),
    }
}

fn phone(text: &str) -> Result<String, String> {
    match Identifier::parse(text) {
        Some(Identifier::Phone(phone)) => Ok(phone),
        _ => Err("it is not a phone number".into()),
    }
}

/// One line; the line break is not part of it.
fn read_password() -> Result<String, Failure> {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line)?;
    let password = line.trim_end_matches(['\r', '\n']);
    if !has_permitted_length(password) {
        return Err(Failure::Usage(format!(
            "--password-stdin: a password has at least {CHARS_MIN} characters, without spaces at either end"
        )));
    }
    Ok(password.to_owned())
}

fn refuse_guessable(password: &str, about: &[Option<String>]) -> Result<(), Failure> {
    let about: Vec<&str> = about.iter().flatten().map(String::as_str).collect();
    if passwords::is_guessable(password, &about) {
        return Err(Failure::Refused(
            "--password-stdin: this password is one of those that are tried first; take another"
                .into(),
        ));
    }
    Ok(())
}

pub fn role(text: &str) -> Result<RoleGrant, String> {
    RoleGrant::parse(text).ok_or_else(|| format!("a role is {ROLE_NAMES}"))
}

/// Says which markets and environments of these roles are not there yet: what a script sets up may come in any order.
pub async fn warn_of_missing(store: &Store, roles: &[RoleGrant]) -> Result<(), Failure> {
    let markets = Markets::load(store).await?;
    for grant in roles {
        let missing = match (grant.market(), grant.environment()) {
            (Some(market), _) if markets.asked(market.as_str()).is_err() => {
                format!("the market {market} is not declared")
            }
            (_, Some(name)) if store.flag_environment(name).await?.is_none() => {
                format!("there is no environment {name}")
            }
            _ => continue,
        };
        eprintln!("musette: {missing} yet, so {grant} opens nothing until it is there");
    }
    Ok(())
}

pub async fn run(command: UserCommand, test: TestSettings) -> Result<(), Failure> {
    match command {
        UserCommand::Add(args) => add(args, test).await,
        UserCommand::Erase(args) => erase(args, test).await,
    }
}

async fn erase(args: UserEraseArgs, test: TestSettings) -> Result<(), Failure> {
    let store = open(&args.store).await?;
    // Before the files are swept.
    let units = UnitKey::load(&store).await?;
    store.forget_person(&units.of_user(&args.id)).await?;
    let person = store.user(&args.id).await?;
    let now = test.clock.now();
    if !store.erase_user(&args.id, now).await? {
        return Err(Failure::Refused("there is no such user".into()));
    }
    let subject = person.map(|person| person.subject).unwrap_or_default();
    CommandEvent::new("user_erased").to(&subject).record(&store, now).await?;
    println!("{}", json!({"erased": true}));
    wait_until_served(&store, test).await
}

async fn add(args: UserAddArgs, test: TestSettings) -> Result<(), Failure> {
    let password = if args.password_stdin { Some(read_password()?) } else { None };
    if let Some(password) = &password {
        // Before a store is made for it.
        refuse_guessable(
            password,
            &[Some(args.id.clone()), args.name.clone(), args.email.clone()],
        )?;
    }
    let store = open_or_make(&args.store).await?;
    let now = test.clock.now();
    if let (Some(password), Some(kept)) = (&password, store.person(&args.id).await?) {
        refuse_guessable(password, &[kept.name, kept.email, kept.phone])?;
    }
    let roles = if args.role.is_empty() { vec![Role::Rider.into()] } else { args.role };
    let new = NewUser {
        id: args.id,
        roles,
        name: args.name,
        email: args.email,
        phone: args.phone,
        market: market::asked(&store, args.market.as_deref(), "unknown_market").await?,
        subject: random::uuid(),
        subject_key: random::hex::<32>(),
    };
    warn_of_missing(&store, &new.roles).await?;
    let has_address = new.email.is_some() || new.phone.is_some();
    let before = store.user(&new.id).await?;
    let is_new = before.is_none();
    let subject = before.map(|user| user.subject).unwrap_or_default();
    let of_contact = CommandEvent::new("contact_changed").to(&subject);
    let user = store.add_user_audited(&new, Some(of_contact.into()), now).await?;
    let roles: Vec<_> = user.roles.iter().map(ToString::to_string).collect();
    let mut said = json!({"user_id": user.id, "roles": roles});
    // Whoever has the machine gave the access anew: it ties the account to no colleague.
    if is_new || has_address {
        store.forget_credential_issue(&user.subject, CredentialPart::Address).await?;
    }
    if password.is_some() || args.totp {
        let part = CredentialPart::Secret { is_shown: false };
        store.forget_credential_issue(&user.subject, part).await?;
    }
    let mut events = vec![
        CommandEvent::new(if is_new { "user_added" } else { "user_changed" })
            .to(&user.subject)
            .detail(roles.join(" ")),
    ];
    if let Some(password) = password {
        events.push(CommandEvent::new("password_set").to(&user.subject));
        store.set_password(&user.id, &passwords::hash(&password), None, now).await?;
        if user.has(Role::Admin) {
            store.say_second_factor_due(&user.id, now.plus(SECOND_FACTOR_WITHIN)).await?;
        }
    }
    if args.totp {
        let secret = passwords::new_totp_secret();
        let is_another = store.second_factor(&user.id).await?.is_some_and(|it| it.has_totp);
        store.set_totp(&user.id, &secret).await?;
        let event = CommandEvent::new("authenticator_set").to(&user.subject);
        events.push(if is_another { event.detail("replaced") } else { event });
        // The URI that an authenticator reads.
        said["totp"] = passwords::totp_address(&secret, "").into();
    }
    for event in events {
        event.record(&store, now).await?;
    }
    println!("{said}");
    if !store.has_password(&user.id).await? {
        say_how_to_sign_in(&store, &user, args.public_url.as_deref(), now).await?;
    }
    wait_until_served(&store, test).await
}

/// An admin without a password gets a link; a colleague is told who can make one.
async fn say_how_to_sign_in(
    store: &Store,
    user: &User,
    public: Option<&str>,
    now: Instant,
) -> Result<(), Failure> {
    if !user.has(Role::Admin) {
        if user.roles.iter().any(|it| it.role.opens_console()) {
            eprintln!(
                "musette: {} has no password: an admin makes a sign-in link in the console, or --password-stdin sets one",
                user.id
            );
        }
        return Ok(());
    }
    let url = public_url(store, public).await?;
    if url.is_none() {
        eprintln!(
            "musette: no server has run on this store: the link names {NOT_SERVED}, where serve listens by itself; --public-url names another place"
        );
    }
    let url = url.as_deref().unwrap_or(NOT_SERVED);
    let part = CredentialPart::Secret { is_shown: false };
    store.forget_credential_issue(&user.subject, part).await?;
    let link = sign_in_link(store, &user.id, url, now).await?;
    CommandEvent::new("sign_in_link_made").to(&user.subject).record(store, now).await?;
    println!("{}", link.url);
    Ok(())
}
