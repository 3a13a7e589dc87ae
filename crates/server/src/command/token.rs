use std::time::Duration;

use clap::{Args, Subcommand};
use musette_core::session::SignInMethod;

use super::event::CommandEvent;
use super::{Failure, open};
use crate::platform::test_mode::is_test;
use crate::sessions::keys::TokenKeys;
use crate::sessions::{self, NewSignIn};
use crate::settings::{StoreArgs, TestSettings};

#[derive(Debug, Subcommand)]
pub enum TokenCommand {
    /// Open a session for a user and print its tokens
    Issue(TokenIssueArgs),
}

#[derive(Debug, Args)]
pub struct TokenIssueArgs {
    #[command(flatten)]
    store: StoreArgs,
    /// ID of an existing user
    #[arg(long, required_unless_present = "claims")]
    user: Option<String>,
    /// Lifetime of the access token in seconds; a negative one gives an expired token
    #[arg(long, allow_negative_numbers = true)]
    access_ttl: Option<i64>,
    /// Issuer of the token: the value of `serve --public-url`
    #[arg(long, env = "MUSETTE_PUBLIC_URL", hide = true)]
    public_url: Option<String>,
    /// For tests: sign exactly this header
    #[arg(long, requires = "claims", hide = true)]
    header: Option<String>,
    /// For tests: sign exactly these claims
    #[arg(long, requires = "header", hide = true)]
    claims: Option<String>,
}

pub async fn run(command: TokenCommand, test: TestSettings) -> Result<(), Failure> {
    let TokenCommand::Issue(args) = command;
    if args.header.is_some() && !is_test() {
        return Err(Failure::Usage("--header and --claims need MUSETTE_TEST=1".into()));
    }
    let store = open(&args.store).await?;
    let now = test.clock.now();
    let keys = TokenKeys::load(&store, now).await?;
    if let (Some(header), Some(claims)) = (&args.header, &args.claims) {
        out!("{}", keys.sign_exactly(header, claims, now));
        return Ok(());
    }
    let id = args.user.unwrap_or_default();
    let user = store.user(&id).await?;
    let user = user.ok_or_else(|| Failure::Refused(format!("the user '{id}' does not exist")))?;
    let issuer = args.public_url.as_deref().map_or("musette", |url| url.trim_end_matches('/'));
    if let Some(ttl) = args.access_ttl.and_then(|ttl| u64::try_from(ttl).ok()) {
        // The public key must be published until the token expires.
        store.signed_until(keys.signer_kid(now), now.plus(Duration::from_secs(ttl))).await?;
    }
    let sign_in = NewSignIn {
        user: &user,
        device: "",
        method: SignInMethod::Command,
        access_ttl: args.access_ttl,
    };
    let granted = sessions::open(&store, &keys, sign_in, issuer, now).await?;
    CommandEvent::new("token_issued").to(&user.subject).record(&store, now).await?;
    out!("{}", serde_json::to_string(&granted.tokens).map_err(Failure::refused)?);
    Ok(())
}
