use clap::{Args, Subcommand};
use musette_core::instant::Instant;
use musette_core::session::{Identifier, Role, RoleGrant};
use musette_store::{CredentialPart, NewUser, Store, User};
use serde_json::json;

use super::event::CommandEvent;
use super::{Failure, market, open, open_or_make, public_url, wait_until_served};
use crate::experiments::units::UnitKey;
use crate::markets::Markets;
use crate::people::{NAME_RULE, USER_ID_RULE, is_new_user_id, is_user_id, person_name};
use crate::platform::closed_sets::ROLE_NAMES;
use crate::platform::random;
use crate::sessions::passwords;
use crate::sessions::passwords::{CHARS_MIN, SECOND_FACTOR_WITHIN, has_permitted_length};
use crate::sessions::sign_in_link;
use crate::settings::{StoreArgs, TestSettings};

/// The default address of the console.
const DEFAULT_URL: &str = "http://127.0.0.1:8080";

#[derive(Debug, Subcommand)]
pub enum UserCommand {
    /// Add a user; for an existing one, add or change the given data
    Add(UserAddArgs),
    /// Erase all data that identifies a user; the evidence log remains unchanged
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
    /// ID of the person in the company
    #[arg(long, value_parser = user_id)]
    id: String,
    /// rider (the default for a new user), worker, viewer, representative, dispatcher, reviewer, support, legal, product, operator or
    /// admin; legal@DE or product@staging limits it to that market or environment; may be given
    /// several times
    #[arg(long, value_name = "ROLE", value_parser = role)]
    role: Vec<RoleGrant>,
    /// Name of the person
    #[arg(long, value_parser = name)]
    name: Option<String>,
    #[arg(long, value_parser = email)]
    email: Option<String>,
    #[arg(long, value_parser = phone)]
    phone: Option<String>,
    /// Market in which the person works, such as DE or DE-BE.berlin
    #[arg(long, value_name = "CODE")]
    market: Option<String>,
    /// Read the password of an operator or admin from standard input
    #[arg(long)]
    password_stdin: bool,
    /// Create a new secret for the person's authenticator app and print it
    #[arg(long)]
    totp: bool,
    /// Origin of the console; by default that of the server of this store
    #[arg(long, env = "MUSETTE_PUBLIC_URL", hide = true)]
    public_url: Option<String>,
}

/// Parses an ID that is safe in a URL path and in a token.
fn user_id(text: &str) -> Result<String, String> {
    if is_user_id(text) { Ok(text.to_owned()) } else { Err(USER_ID_RULE.into()) }
}

fn name(text: &str) -> Result<String, String> {
    person_name(text).ok_or_else(|| NAME_RULE.into())
}

/// Parses an address into the form that a sign-in looks up.
fn email(text: &str) -> Result<String, String> {
    match Identifier::parse(text) {
        Some(Identifier::Email(email)) => Ok(email),
        _ => Err("this is not an e-mail address".into()),
    }
}

fn phone(text: &str) -> Result<String, String> {
    match Identifier::parse(text) {
        Some(Identifier::Phone(phone)) => Ok(phone),
        _ => Err("this is not a phone number".into()),
    }
}

/// Reads one line from standard input, without its line break.
fn read_password() -> Result<String, Failure> {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line)?;
    let password = line.trim_end_matches(['\r', '\n']);
    if !has_permitted_length(password) {
        return Err(Failure::Usage(format!(
            "--password-stdin: a password must have at least {CHARS_MIN} characters and no space at either end"
        )));
    }
    Ok(password.to_owned())
}

fn refuse_guessable(password: &str, about: &[Option<String>]) -> Result<(), Failure> {
    let about: Vec<&str> = about.iter().flatten().map(String::as_str).collect();
    if passwords::is_guessable(password, &about) {
        return Err(Failure::Refused(
            "--password-stdin: this password is easy to guess; choose another one".into(),
        ));
    }
    Ok(())
}

pub fn role(text: &str) -> Result<RoleGrant, String> {
    RoleGrant::parse(text).ok_or_else(|| format!("must be one of {ROLE_NAMES}"))
}

/// Warns about markets and environments of these roles that do not exist yet. This is not an error,
/// because a script may create them later.
pub async fn warn_about_missing(store: &Store, roles: &[RoleGrant]) -> Result<(), Failure> {
    let markets = Markets::load(store).await?;
    for grant in roles {
        let missing = match (grant.market(), grant.environment()) {
            (Some(market), _) if markets.asked(market.as_str()).is_err() => {
                format!("the market {market} is not declared yet")
            }
            (_, Some(name)) if store.flag_environment(name).await?.is_none() => {
                format!("the environment {name} does not exist yet")
            }
            _ => continue,
        };
        note!("musette: warning: {missing}, so {grant} has no effect until then");
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
    // Must precede the erasure, which removes the files.
    let units = UnitKey::load(&store).await?;
    store.delete_experiment_links(&units.of_user(&args.id)).await?;
    let person = store.user(&args.id).await?;
    let now = test.clock.now();
    if !store.erase_user(&args.id, now).await? {
        return Err(Failure::Refused("no user has this ID".into()));
    }
    let subject = person.map(|person| person.subject).unwrap_or_default();
    CommandEvent::new("user_erased").to(&subject).record(&store, now).await?;
    out!("{}", json!({"erased": true}));
    wait_until_served(&store, test).await
}

/// People of earlier versions may have IDs that a new person may not have.
fn check_id(id: &str, is_new: bool) -> Result<(), Failure> {
    if is_new && !is_new_user_id(id) {
        return Err(Failure::Usage(format!("--id: {USER_ID_RULE}")));
    }
    Ok(())
}

async fn add(args: UserAddArgs, test: TestSettings) -> Result<(), Failure> {
    let password = if args.password_stdin { Some(read_password()?) } else { None };
    if let Some(password) = &password {
        // Checked before a store is created.
        refuse_guessable(
            password,
            &[Some(args.id.clone()), args.name.clone(), args.email.clone()],
        )?;
    }
    let store = open_or_make(&args.store).await?;
    let now = test.clock.now();
    if let (Some(password), Some(person)) = (&password, store.person(&args.id).await?) {
        refuse_guessable(password, &[person.name, person.email, person.phone])?;
    }
    let before = store.user(&args.id).await?;
    let is_new = before.is_none();
    // Otherwise a new password for a console user would make that user a rider who has to agree.
    let roles = if is_new && args.role.is_empty() { vec![Role::Rider.into()] } else { args.role };
    let new = NewUser {
        id: args.id,
        roles,
        name: args.name,
        email: args.email,
        phone: args.phone,
        market: market::resolve(&store, args.market.as_deref(), "unknown_market").await?,
        subject: random::uuid(),
        subject_key: random::hex::<32>(),
    };
    warn_about_missing(&store, &new.roles).await?;
    let has_address = new.email.is_some() || new.phone.is_some();
    check_id(&new.id, is_new)?;
    let subject = before.map(|user| user.subject).unwrap_or_default();
    let of_contact = CommandEvent::new("contact_changed").to(&subject);
    let user = store.add_user_audited(&new, Some(of_contact.into()), now).await?;
    let roles: Vec<_> = user.roles.iter().map(ToString::to_string).collect();
    let mut output = json!({"user_id": user.id, "roles": roles});
    // The operator of the machine gave this access, so the account is no longer tied to a colleague
    // who issued it.
    if is_new || has_address {
        store.delete_credential_issue(&user.subject, CredentialPart::Address).await?;
    }
    if password.is_some() || args.totp {
        let part = CredentialPart::Secret { is_shown: false };
        store.delete_credential_issue(&user.subject, part).await?;
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
            store.set_second_factor_due(&user.id, now.plus(SECOND_FACTOR_WITHIN)).await?;
        }
    }
    if args.totp {
        let secret = passwords::new_totp_secret();
        let is_another = store.second_factor(&user.id).await?.is_some_and(|factor| factor.has_totp);
        store.set_totp(&user.id, &secret).await?;
        let event = CommandEvent::new("authenticator_set").to(&user.subject);
        events.push(if is_another { event.detail("replaced") } else { event });
        // The URI that authenticator apps read.
        output["totp"] = passwords::totp_address(&secret, "").into();
    }
    for event in events {
        event.record(&store, now).await?;
    }
    out!("{output}");
    if !store.has_password(&user.id).await? {
        print_sign_in_hint(&store, &user, args.public_url.as_deref(), now).await?;
    }
    wait_until_served(&store, test).await
}

/// Prints a sign-in link for an admin without a password; for other roles, says who can create one.
async fn print_sign_in_hint(
    store: &Store,
    user: &User,
    public: Option<&str>,
    now: Instant,
) -> Result<(), Failure> {
    if !user.has(Role::Admin) {
        if user.roles.iter().any(|grant| grant.role.opens_console()) {
            note!(
                "musette: {} has no password: ask an admin for a sign-in link from the console, or set one with --password-stdin",
                user.id
            );
        }
        return Ok(());
    }
    let url = public_url(store, public).await?;
    if url.is_none() {
        note!(
            "musette: no server has run on this store: the link uses {DEFAULT_URL}, the default address of `serve`; set another with --public-url"
        );
    }
    let url = url.as_deref().unwrap_or(DEFAULT_URL);
    let part = CredentialPart::Secret { is_shown: false };
    store.delete_credential_issue(&user.subject, part).await?;
    let link = sign_in_link(store, &user.id, url, now).await?;
    CommandEvent::new("sign_in_link_made").to(&user.subject).record(store, now).await?;
    out!("{}", link.url);
    Ok(())
}
