use std::io::Write as _;
use std::process::Stdio;
use std::sync::Arc;

use serde_json::{Value, json};

use super::{Tokens, V1, later, me};
use crate::app::{Start, TestApp};
use crate::request::Request;
use crate::store::{CommandResult, Engine, TestStore};

on_both!(
    only_operators_sign_in_with_a_password,
    the_first_admin_signs_in_with_a_link,
    requires_an_authenticator_code_that_works_once,
    refuses_invalid_passwords,
    limits_password_guesses
);

const EMAIL: &str = "ada@larkspur.example";
const PASSWORD: &str = "correct horse battery";

pub fn with_password(store: &TestStore, args: &[&str], password: &str) -> CommandResult {
    let mut program = store.program();
    program.args(["user", "add", "--password-stdin"]).args(args);
    program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = program.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(format!("{password}\n").as_bytes()).expect("written");
    drop(stdin);
    child.wait_with_output().expect("it ends").into()
}

fn operator(engine: Engine) -> TestStore {
    let store = TestStore::new(engine);
    let args = ["--id", "o1", "--role", "operator", "--email", EMAIL];
    assert_eq!(with_password(&store, &args, PASSWORD).json()["user_id"], "o1");
    store
}

pub fn sign_in(app: &TestApp, body: &Value) -> Request {
    app.post(&format!("{V1}/console/tokens")).json(body)
}

fn only_operators_sign_in_with_a_password(engine: Engine) {
    let store = operator(engine);
    let rider = ["--id", "r1", "--email", "r1@larkspur.example"];
    with_password(&store, &rider, PASSWORD).expect_success();
    store
        .command(&[
            "user",
            "add",
            "--id",
            "o2",
            "--role",
            "operator",
            "--email",
            "o2@larkspur.example",
        ])
        .expect_success();
    let app = TestApp::serve(store);
    let answer = sign_in(&app, &json!({"email": "Ada@Larkspur.example", "password": PASSWORD}));
    let tokens = Tokens::of(&answer.gives(200).json());
    let who = me(&app, &tokens.access).gives(200).json();
    assert_eq!((&who["user_id"], &who["roles"]), (&"o1".into(), &["operator"][..].into()));
    for (email, password) in [
        (EMAIL, "correct horse"),
        (EMAIL, "correct horse battery "),
        ("r1@larkspur.example", PASSWORD),
        ("o2@larkspur.example", PASSWORD),
        ("nobody@larkspur.example", PASSWORD),
        ("nobody", PASSWORD),
        ("' OR 1=1 --", PASSWORD),
    ] {
        let body = json!({"email": email, "password": password});
        let refused = sign_in(&app, &body).refused(401, "credentials_invalid");
        assert!(refused.header("www-authenticate").starts_with("Bearer"), "{email}");
    }
    sign_in(&app, &json!({"email": EMAIL})).refused(422, "invalid_request");
    let body = json!({"email": EMAIL, "password": PASSWORD, "otp": 1});
    sign_in(&app, &body).refused(422, "invalid_request");
}

fn the_first_admin_signs_in_with_a_link(engine: Engine) {
    let app = TestApp::start(engine);
    let add = ["user", "add", "--id", "a1", "--role", "admin", "--email", EMAIL];
    let link = || {
        let mut program = app.program();
        program.args(add).env("MUSETTE_PUBLIC_URL", "https://terms.larkspur.example");
        let output: CommandResult = program.output().expect("the program runs").into();
        let output = output.expect_success();
        let link = output.lines().nth(1).expect("a link").to_owned();
        let token = link.strip_prefix("https://terms.larkspur.example/console/sign-in#");
        token.expect(&link).to_owned()
    };
    let (old, new) = (link(), link());
    let redeem = |app: &TestApp, token: &str, password: &str| {
        let body = json!({"token": token, "password": password});
        app.post(&format!("{V1}/console/links")).json(&body)
    };
    redeem(&app, &old, PASSWORD).refused(401, "link_invalid");
    let short = redeem(&app, &new, "short").refused(422, "password_too_short");
    assert_eq!(short.pointers(), ["/password"]);
    let tokens = Tokens::of(&redeem(&app, &new, PASSWORD).gives(200).json());
    assert_eq!(me(&app, &tokens.access).gives(200).json()["roles"], json!(["admin"]));
    redeem(&app, &new, PASSWORD).refused(401, "link_invalid");
    sign_in(&app, &json!({"email": EMAIL, "password": PASSWORD})).gives(200);
    assert_eq!(
        app.command(&add).expect_success().lines().count(),
        1,
        "the account has a password now"
    );
    let output = app.command(&["user", "add", "--id", "a2", "--role", "admin"]).expect_success();
    let link = output.lines().nth(1).and_then(|link| link.split_once('#')).expect("a link").1;
    redeem(&later(&app.store(), 73 * 3600), link, PASSWORD).refused(401, "link_invalid");
}

fn requires_an_authenticator_code_that_works_once(engine: Engine) {
    let store = operator(engine);
    let printed =
        store.command(&["user", "add", "--id", "o1", "--role", "operator", "--totp"]).json();
    let url = printed["totp"].as_str().expect("a URL");
    let secret =
        url.split("secret=").nth(1).and_then(|rest| rest.split('&').next()).expect("a secret");
    let app = TestApp::serve(store);
    let body = |otp: &str| json!({"email": EMAIL, "password": PASSWORD, "otp": otp});
    sign_in(&app, &json!({"email": EMAIL, "password": PASSWORD})).refused(401, "otp_required");
    let wrong = json!({"email": EMAIL, "password": "wrong", "otp": "000000"});
    sign_in(&app, &wrong).refused(401, "credentials_invalid");
    let secret = totp_rs::Secret::try_from_base32(secret).expect("base 32");
    let totp = totp_rs::Builder::new().with_secret(secret).build().expect("an authenticator");
    let seconds = std::fs::metadata(app.path("serve.log")).expect("a log").modified();
    let now = seconds.expect("a time").duration_since(std::time::UNIX_EPOCH).expect("after 1970");
    let code = totp.generate(now.as_secs()).to_string();
    let other = if code.starts_with('0') { "1" } else { "0" }.to_owned() + &code[1..];
    sign_in(&app, &body(&other)).refused(401, "otp_invalid");
    sign_in(&app, &body("")).refused(401, "otp_invalid");
    sign_in(&app, &body(&code)).gives(200);
    sign_in(&app, &body(&code)).refused(401, "otp_invalid");
}

fn refuses_invalid_passwords(engine: Engine) {
    let store = TestStore::new(engine);
    let args = ["--id", "o1", "--role", "operator", "--email", EMAIL];
    with_password(&store, &args, "too short").failed(2, "--password-stdin");
    store.command(&["user", "add", "--id", "o1", "--email", "nothing"]).failed(2, "--email");
    store.command(&["user", "add", "--id", "o1", "--phone", "nothing"]).failed(2, "--phone");
}

fn limits_password_guesses(engine: Engine) {
    let store = Arc::new(operator(engine));
    let args = ["--trusted-proxies", "127.0.0.1"];
    let app = TestApp::serve_with(&store, Start { limited: true, args: &args, ..Start::default() });
    let try_from = |address: &str, password: &str| {
        let body = json!({"email": EMAIL, "password": password});
        sign_in(&app, &body).header("x-forwarded-for", address)
    };
    for _ in 0..10 {
        try_from("203.0.113.9", "a wrong password").refused(401, "credentials_invalid");
    }
    let refused = try_from("203.0.113.9", "a wrong password").refused(429, "rate_limited");
    assert!(!refused.header("retry-after").is_empty());
    try_from("203.0.113.10", PASSWORD).gives(200);
}
