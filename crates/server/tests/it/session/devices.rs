use super::{V1, issue, me, new_code, redeem, refresh, set_cookies};
use serde_json::json;

use crate::app::TestApp;
use crate::store::{Engine, TestStore};

on_both!(
    lists_only_the_users_own_devices,
    ends_only_the_users_own_devices,
    returns_the_signed_in_user
);

const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

fn lists_only_the_users_own_devices(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r2"));
    app.command(&["user", "add", "--id", "r1", "--phone", "+1 555 0100"]).expect_success();
    issue(&app, "r2");
    let first = issue(&app, "r1");
    let code = new_code(&app, "+15550100");
    let second = redeem(&app, "+15550100", &code).header("user-agent", FIREFOX).gives(200);
    let second = super::Tokens::of(&second.json());
    let answer = app.get(&format!("{V1}/sessions")).token(&second.access).gives(200);
    assert_eq!(answer.header("cache-control"), "private, no-store");
    let list = answer.json();
    let list = list.as_array().expect("a list");
    assert_eq!(list.len(), 2, "{list:?}");
    let current = list.iter().find(|session| session["current"] == true).expect("this one");
    assert_eq!(current["device"], "Firefox · Linux");
    for name in ["created_at", "last_used_at"] {
        assert!(current[name].as_str().expect(name).ends_with('Z'), "{current}");
    }
    let sid = me(&app, &first.access).gives(200).json()["sid"].clone();
    assert!(list.iter().any(|session| session["sid"] == sid && session["current"] == false));
    app.get(&format!("{V1}/sessions")).refused(401, "unauthenticated");
}

fn ends_only_the_users_own_devices(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1").with_rider("r2"));
    let (own, lost, others) = (issue(&app, "r1"), issue(&app, "r1"), issue(&app, "r2"));
    let sid = |access: &str| {
        me(&app, access).gives(200).json()["sid"].as_str().expect("a sid").to_owned()
    };
    let end = |sid: &str| app.request("DELETE", &format!("{V1}/sessions/{sid}")).token(&own.access);
    let ended = end(&sid(&lost.access)).gives(204);
    assert_eq!(set_cookies(&ended), [""; 0], "this device stays signed in");
    me(&app, &lost.access).refused(401, "unauthenticated");
    refresh(&app, &lost.refresh).refused(401, "session_ended");

    let but_id = |answer: &crate::request::Answer| answer.json()["detail"].clone();
    let not_mine = end(&sid(&others.access)).refused(404, "not_found");
    let nobodys = end(&"0".repeat(32)).refused(404, "not_found");
    assert_eq!(but_id(&not_mine), but_id(&nobodys));
    end("%00").refused(404, "not_found");
    me(&app, &others.access).gives(200);

    let path = format!("{V1}/sessions/{}", sid(&own.access));
    app.request("DELETE", &path).refused(401, "unauthenticated");
    assert_eq!(set_cookies(&end(&sid(&own.access)).gives(204)).len(), 2);
    me(&app, &own.access).refused(401, "unauthenticated");
}

fn returns_the_signed_in_user(engine: Engine) {
    let app = TestApp::start(engine);
    app.add_user("o1", &["operator", "rider"]);
    let answer = me(&app, &issue(&app, "o1").access).gives(200);
    let body = answer.json();
    assert_eq!(
        (&body["user_id"], &body["roles"]),
        (&"o1".into(), &["operator", "rider"][..].into())
    );
    assert_eq!(body["sid"].as_str().map(str::len), Some(32));
    assert_eq!(body["name"], json!(null), "the user has no name");
    app.command(&["user", "add", "--id", "o1", "--name", "Ottilie Fernwick"]).expect_success();
    assert_eq!(me(&app, &issue(&app, "o1").access).gives(200).json()["name"], "Ottilie Fernwick");
    app.get(&format!("{V1}/me")).refused(401, "unauthenticated");
}
