use serde_json::Value;

use super::{DAY, HOUR, Tokens, issue, later, me, refreshed, soon};
use crate::app::TestApp;
use crate::store::{Engine, TestStore};

on_both!(
    publishes_the_next_key_a_day_ahead,
    an_old_key_verifies_until_its_last_token_has_expired,
    creates_only_one_next_key
);

fn published(app: &TestApp) -> Vec<String> {
    let keys = app.get("/.well-known/jwks.json").gives(200).json();
    let keys = keys["keys"].as_array().expect("keys").clone();
    keys.iter().map(|key| key["kid"].as_str().expect("a kid").to_owned()).collect()
}

fn kid(token: &str) -> String {
    use base64::Engine as _;
    let header = token.split('.').next().expect("a header");
    let header = base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(header);
    let header: Value = serde_json::from_slice(&header.expect("base64url")).expect("JSON");
    header["kid"].as_str().expect("a kid").to_owned()
}

fn rotate(store: &TestStore) -> String {
    let rotated = store.command(&["session", "rotate-keys"]).json();
    rotated["kid"].as_str().expect("a kid").to_owned()
}

fn publishes_the_next_key_a_day_ahead(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1"));
    let tokens = issue(&app, "r1");
    let old = kid(&tokens.access);
    assert_eq!(published(&app), [old.as_str()]);
    let next = rotate(&app);
    let mut both = vec![old.clone(), next.clone()];
    both.sort();
    assert_eq!(published(&app), both, "at once");
    let still = refreshed(&app, &tokens.refresh);
    assert_eq!(kid(&still.access), old);

    let before = later(&app.store(), DAY - 60);
    assert_eq!(kid(&refreshed(&before, &still.refresh).access), old);
    let after = later(&app.store(), DAY + 1);
    let tokens = refreshed(&after, &still.refresh);
    assert_eq!(kid(&tokens.access), next);
    me(&after, &tokens.access).gives(200);
}

fn an_old_key_verifies_until_its_last_token_has_expired(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1"));
    let ttl = (2 * DAY).to_string();
    let long = ["token", "issue", "--user", "r1", "--access-ttl", &ttl];
    let long = Tokens::of(&app.command(&long).json());
    let (old, next) = (kid(&long.access), rotate(&app));
    let day_two = later(&app.store(), 2 * DAY - 60);
    me(&day_two, &long.access).gives(200);
    assert!(published(&day_two).contains(&old));
    drop(day_two);
    drop(app.store());
    let after = later(&app.store(), 2 * DAY + HOUR);
    me(&after, &long.access).refused(401, "unauthenticated");
    assert_eq!(published(&after), [next.as_str()]);
    // Nothing of the old key remains, so it can no longer be used to sign.
    let seeds = soon("the old key is destroyed", || {
        let backup = app.path("keys.gz");
        drop(std::fs::remove_file(&backup));
        app.command(&["backup", backup.to_str().expect("UTF-8")]).expect_success();
        let bytes = std::fs::read(&backup).expect("a backup");
        let mut text = String::new();
        let mut gzip = flate2::read::GzDecoder::new(bytes.as_slice());
        std::io::Read::read_to_string(&mut gzip, &mut text).expect("gzip");
        (!text.contains(&old)).then_some(text)
    });
    assert!(seeds.contains(&next));
}

fn creates_only_one_next_key(engine: Engine) {
    let store = TestStore::new(engine);
    rotate(&store);
    store.command(&["session", "rotate-keys"]).failed(1, "already exists");
    let offset = (DAY + 1).to_string();
    let mut program = store.program();
    program.args(["session", "rotate-keys"]).env("MUSETTE_CLOCK_OFFSET", offset);
    assert!(program.output().expect("the program runs").status.success());
}
