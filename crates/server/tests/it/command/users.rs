//! `user add`, `token issue`, `migrate`.

use crate::store::{Engine, TestStore};

on_both!(adds_a_user, issues_a_token, migrates_repeatedly);

fn adds_a_user(engine: Engine) {
    let store = TestStore::new(engine);
    let printed = store.command(&["user", "add", "--id", "r1"]).json();
    assert_eq!(
        (&printed["user_id"], &printed["roles"]),
        (&"r1".into(), &serde_json::json!(["rider"]))
    );
    // Adding the user again with more details loses nothing.
    let args = ["user", "add", "--id", "r1", "--role", "worker", "--email", "r1@example.com"];
    store.command(&args).expect_success();
    store.command(&args).expect_success();
    let roles = store.command(&["user", "add", "--id", "r1"]).json()["roles"].to_string();
    assert!(roles.contains("rider") && roles.contains("worker"), "{roles}");
    // A change of a console user without `--role` does not make that user a rider.
    store.command(&["user", "add", "--id", "o1", "--role", "operator"]).expect_success();
    let changed =
        store.command(&["user", "add", "--id", "o1", "--name", "Ottilie Fernwick"]).json();
    assert_eq!(changed["roles"], serde_json::json!(["operator"]), "{changed}");
    let args = ["user", "add", "--id", "r2", "--email", "R1@example.com"];
    store.command(&args).failed(1, "e-mail");
    store.command(&["user", "add"]).failed(2, "--id");
    store.command(&["user", "add", "--id", ""]).failed(2, "--id");
    store.command(&["user", "add", "--id", &"x".repeat(129)]).failed(2, "--id");
    store.command(&["user", "add", "--id", "a\nb"]).failed(2, "--id");
    store.command(&["user", "add", "--id", "r3", "--role", "king"]).failed(2, "--role");
}

fn issues_a_token(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r1");
    store.command(&["token", "issue", "--user", "nobody"]).failed(1, "nobody");
    store.command(&["token", "issue"]).failed(2, "--user");
    let args = ["token", "issue", "--user", "r1", "--access-ttl", "5"];
    let tokens = store.command(&args).json();
    for name in ["dhhToken", "refreshToken"] {
        assert!(tokens[name].as_str().is_some_and(|text| text.len() > 20), "{name}");
    }
    assert_ne!(store.token("r1"), store.token("r1"));
}

fn migrates_repeatedly(engine: Engine) {
    let store = TestStore::new(engine);
    std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..4).map(|_| scope.spawn(|| store.command(&["migrate"]).expect_success())).collect();
        for thread in threads {
            thread.join().expect("it migrates beside others");
        }
    });
    store.command(&["migrate"]).expect_success();
}
