//! Refused passwords, and the second factor that an admin needs after a week.

use std::io::Write as _;
use std::process::Stdio;
use std::sync::Arc;

use serde_json::{Value, json};

use super::{DAY, Tokens, V1, me};
use crate::app::{Start, TestApp};
use crate::request::Request;
use crate::store::{CommandResult, Engine, TestStore};

on_both!(
    refuses_common_passwords,
    an_admin_needs_a_second_factor_after_a_week,
    existing_admins_have_a_week_too,
    every_console_role_needs_a_second_factor_by_default,
    the_roles_that_need_a_second_factor_are_a_setting,
    only_the_owner_sets_up_an_authenticator_once
);

const EMAIL: &str = "ada@larkspur.example";
const PASSWORD: &str = "correct horse battery";
const PATH: &str = "/api/session/v1/console/authenticator";

fn add(store: &TestStore, role: &str, password: &str) -> CommandResult {
    let mut program = store.program();
    program.args(["user", "add", "--id", "a1", "--role", role, "--email", EMAIL]);
    program.args(["--name", "Ada Quill-Larkspur", "--password-stdin"]);
    program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = program.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(format!("{password}\n").as_bytes()).expect("written");
    drop(stdin);
    child.wait_with_output().expect("it ends").into()
}

fn admin(engine: Engine) -> Arc<TestStore> {
    let store = TestStore::new(engine);
    add(&store, "admin", PASSWORD).expect_success();
    Arc::new(store)
}

fn after(store: &Arc<TestStore>, seconds: i64) -> TestApp {
    super::later(store, seconds)
}

/// Starts a node whose clock runs ahead and that requires a second factor for these roles.
fn requiring_second_factor(store: &Arc<TestStore>, seconds: i64, roles: &str) -> TestApp {
    let offset = seconds.to_string();
    let env = [("MUSETTE_CLOCK_OFFSET", offset.as_str())];
    let args = ["--second-factor-roles", roles];
    TestApp::serve_with(store, Start { args: &args, env: &env, ..Start::default() })
}

fn credentials() -> Value {
    json!({"email": EMAIL, "password": PASSWORD})
}

fn with(mut body: Value, name: &str, value: &str) -> Value {
    body[name] = value.into();
    body
}

fn sign_in(app: &TestApp) -> Request {
    app.post(&format!("{V1}/console/tokens")).json(&credentials())
}

/// Returns the code that the person's authenticator shows this many seconds from now.
fn otp_at(secret: &str, after_s: i64) -> String {
    let secret = totp_rs::Secret::try_from_base32(secret).expect("base 32");
    let totp = totp_rs::Builder::new().with_secret(secret).build().expect("an authenticator");
    let now = musette::parts::clock::Clock::default().now().seconds() + after_s;
    totp.generate(u64::try_from(now).expect("after 1970")).to_string()
}

/// Sets up an authenticator with these credentials and returns the tokens of the new session.
#[track_caller]
pub fn set_up(app: &TestApp, credentials: &Value) -> Value {
    let offer = app.post(PATH).json(credentials).gives(200).json();
    let text = |name: &str| offer[name].as_str().expect(name).to_owned();
    let body = with(credentials.clone(), "setup", &text("setup"));
    let body = with(body, "otp", &otp_at(&text("secret"), 0));
    app.request("PUT", PATH).json(&body).gives(200).json()
}

fn refuses_common_passwords(engine: Engine) {
    let store = TestStore::new(engine);
    for common in ["password1234", "Qwerty123456", EMAIL, "adaquilllarkspur", "musette-musette"] {
        add(&store, "admin", common).failed(1, "--password-stdin");
    }
    assert_eq!(
        store.command(&["token", "issue", "--user", "a1"]).code,
        Some(1),
        "no user was added"
    );
    let add = ["user", "add", "--id", "a1", "--role", "admin", "--email", EMAIL];
    let output = store.command(&add).expect_success();
    let link =
        output.lines().nth(1).and_then(|line| line.split_once('#')).expect("a link").1.to_owned();
    let app = TestApp::serve(store);
    let redeem = |password: &str| {
        let body = json!({"token": link, "password": password});
        app.post(&format!("{V1}/console/links")).json(&body)
    };
    for common in ["Password2024!", "passwordpassword", "ADA@larkspur.example"] {
        let refused = redeem(common).refused(422, "password_too_common");
        assert_eq!(refused.pointers(), ["/password"]);
    }
    redeem(PASSWORD).gives(200);
}

fn an_admin_needs_a_second_factor_after_a_week(engine: Engine) {
    let store = admin(engine);
    let first = TestApp::serve_with(&store, Start::default());
    let tokens = Tokens::of(&sign_in(&first).gives(200).json());
    let standing = first.get(PATH).token(&tokens.access).gives(200).json();
    assert_eq!(standing["is_set"], false);
    assert!(
        standing["required_from"].as_str().is_some_and(|text| text.ends_with('Z')),
        "{standing}"
    );
    let sixth = after(&store, 7 * DAY - 60);
    sign_in(&sixth).gives(200);
    drop((first, sixth));

    let late = 7 * DAY + 60;
    let app = after(&store, late);
    sign_in(&app).refused(403, "second_factor_required");
    let wrong = json!({"email": EMAIL, "password": "a wrong password"});
    app.post(&format!("{V1}/console/tokens")).json(&wrong).refused(401, "credentials_invalid");
    // The response offers to set one up. Nothing else is possible.
    let offer = app.post(PATH).json(&credentials()).gives(200);
    assert_eq!(offer.header("cache-control"), "no-store");
    let offer = offer.json();
    let (setup, secret) = (offer["setup"].as_str().expect("one"), offer["secret"].as_str());
    let secret = secret.expect("a secret");
    assert_eq!(secret.len(), 32);
    let url = offer["url"].as_str().expect("a URL");
    assert!(url.starts_with("otpauth://totp/Musette:ada%40larkspur.example?"), "{url}");
    assert!(url.contains(&format!("secret={secret}")), "{url}");
    assert!(offer["qr"]["size"].as_i64().is_some_and(|size| size > 20), "{offer}");
    sign_in(&app).refused(403, "second_factor_required");
    let digits = otp_at(secret, late);
    let body = with(with(credentials(), "setup", setup), "otp", &digits);
    let entered = app.request("PUT", PATH).json(&body).gives(200).json();
    let tokens = Tokens::of(&entered);
    me(&app, &tokens.access).gives(200);
    assert_eq!(app.get(PATH).token(&tokens.access).gives(200).json(), json!({"is_set": true}));
    sign_in(&app).refused(401, "otp_required");
    // The code that confirmed the setup cannot be used to sign in as well.
    let again = with(credentials(), "otp", &digits);
    app.post(&format!("{V1}/console/tokens")).json(&again).refused(401, "otp_invalid");
    let next = with(credentials(), "otp", &otp_at(secret, late + 30));
    app.post(&format!("{V1}/console/tokens")).json(&next).gives(200);
}

/// An operator whose role is not in the setting needs no second factor, a link still works, and a
/// person who only uses a provider never needs one.
fn existing_admins_have_a_week_too(engine: Engine) {
    let store = TestStore::new(engine);
    add(&store, "operator", PASSWORD).expect_success();
    let store = Arc::new(store);
    let after = |store: &Arc<TestStore>, seconds| requiring_second_factor(store, seconds, "admin");
    let year = after(&store, 365 * DAY);
    let tokens = Tokens::of(&sign_in(&year).gives(200).json());
    assert_eq!(year.get(PATH).token(&tokens.access).gives(200).json(), json!({"is_set": false}));
    // This admin has a password from last year and became an admin today, so they have a week from
    // now on.
    store.add_user("a1", &["admin"]);
    sign_in(&year).gives(200);
    sign_in(&after(&store, 371 * DAY)).gives(200);
    let late = after(&store, 373 * DAY);
    sign_in(&late).refused(403, "second_factor_required");
    // The admin is not locked out permanently.
    store.command(&["user", "add", "--id", "a2", "--role", "admin"]).expect_success();
    let mut program = store.program();
    program.args(["token", "issue", "--user", "a2"]);
    program.env("MUSETTE_CLOCK_OFFSET", (373 * DAY).to_string());
    let output: CommandResult = program.output().expect("it runs").into();
    let other = Tokens::of(&output.json()).access;
    let link = late.post("/api/admin/v1/people/a1/link").token(&other).gives(201).json();
    let link = link["url"].as_str().and_then(|url| url.split_once('#')).expect("a token").1;
    let body = json!({"token": link, "password": PASSWORD});
    late.post(&format!("{V1}/console/links")).json(&body).gives(200);
    sign_in(&late).refused(403, "second_factor_required");
}

fn every_console_role_needs_a_second_factor_by_default(engine: Engine) {
    for role in ["viewer", "support@DE-BE", "legal", "product@staging", "operator", "admin"] {
        let store = TestStore::new(engine);
        add(&store, role, PASSWORD).expect_success();
        let store = Arc::new(store);
        let first = after(&store, 0);
        let tokens = Tokens::of(&sign_in(&first).gives(200).json());
        let standing = first.get(PATH).token(&tokens.access).gives(200).json();
        assert!(standing["required_from"].is_string(), "{role}: {standing}");
        drop(first);
        sign_in(&after(&store, 7 * DAY - 60)).gives(200);
        sign_in(&after(&store, 7 * DAY + 60)).refused(403, "second_factor_required");
        if engine == Engine::Postgres {
            // The role decides, not the engine, so one engine is sufficient.
            break;
        }
    }
}

fn the_roles_that_need_a_second_factor_are_a_setting(engine: Engine) {
    let store = TestStore::new(engine);
    add(&store, "legal@DE", PASSWORD).expect_success();
    let store = Arc::new(store);
    let status_of = |seconds, roles: &str| {
        let app = requiring_second_factor(&store, seconds, roles);
        let answer = sign_in(&app).send();
        assert!(answer.status == 200 || answer.json()["code"] == "second_factor_required");
        answer.status
    };
    assert_eq!(status_of(0, "support,product"), 200);
    assert_eq!(status_of(30 * DAY, "support,product"), 200);
    // A role that is added to the setting has a week from the first start with it.
    assert_eq!(status_of(31 * DAY, "legal, support"), 200);
    assert_eq!(status_of(37 * DAY, "legal, support"), 200);
    assert_eq!(status_of(39 * DAY, "legal, support"), 403);
    assert_eq!(status_of(39 * DAY, "support"), 200);
    // Admins need one whatever the setting is.
    store.add_user("a1", &["admin"]);
    assert_eq!(status_of(39 * DAY, "support"), 403);
    for bad in ["rider", "king", "legal@DE"] {
        store.command(&["serve", "--second-factor-roles", bad]).failed(2, "--second-factor-roles");
    }
}

fn only_the_owner_sets_up_an_authenticator_once(engine: Engine) {
    let store = admin(engine);
    store
        .command(&["user", "add", "--id", "r1", "--email", "r1@larkspur.example"])
        .expect_success();
    let app = TestApp::serve_with(&store, Start::default());
    let offer = |body: &Value| app.post(PATH).json(body);
    offer(&json!({"email": EMAIL, "password": "a wrong password"}))
        .refused(401, "credentials_invalid");
    offer(&json!({"email": "r1@larkspur.example", "password": PASSWORD}))
        .refused(401, "credentials_invalid");
    offer(&json!({"email": EMAIL})).refused(422, "invalid_request");
    app.get(PATH).refused(401, "unauthenticated");
    app.get(PATH).token(&store.token("r1")).refused(403, "permission_denied");

    let [one, two] = [(), ()].map(|()| offer(&credentials()).gives(200).json());
    assert_ne!(one["secret"], two["secret"]);
    let secret = one["secret"].as_str().expect("a secret");
    let keep = |setup: &str, otp: &str| {
        let body = with(with(credentials(), "setup", setup), "otp", otp);
        app.request("PUT", PATH).json(&body)
    };
    let (setup, other) = (one["setup"].as_str().expect("one"), two["setup"].as_str().expect("one"));
    keep(other, &otp_at(secret, 0)).refused(401, "otp_invalid");
    keep(setup, "12345").refused(401, "otp_invalid");
    for bad in ["", "x", "0.0", &format!("{}.1", "0".repeat(32))] {
        let answer = keep(bad, &otp_at(secret, 0)).send();
        assert_eq!(answer.status, 422, "{bad}");
    }
    // A forged setup token has a secret that the server does not know.
    keep("mine.9999999999", &otp_at(secret, 0)).refused(401, "otp_invalid");
    // Several tabs at once: one is set up, and the others get an error.
    let otp = otp_at(secret, 0);
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let tries: Vec<_> =
            (0..4).map(|_| scope.spawn(|| keep(setup, &otp).send().status)).collect();
        tries.into_iter().map(|thread| thread.join().expect("an answer")).collect()
    });
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|status| **status == 409).count(), 3, "{statuses:?}");
    // The password alone cannot replace the authenticator.
    offer(&credentials()).refused(409, "authenticator_exists");
    let expired = with(with(credentials(), "setup", other), "otp", "000000");
    app.request("PUT", PATH).json(&expired).refused(409, "authenticator_exists");
}
