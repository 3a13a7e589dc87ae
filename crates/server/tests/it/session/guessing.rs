//! Limits against attackers who request and guess codes, while the user can still sign in.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{Tokens, ask_code, later, logged_codes, me, new_code, redeem, set_cookies, soon};
use crate::app::{Start, TestApp};
use crate::request::{Answer, Request};
use crate::store::{Engine, TestStore};

on_both!(
    counts_guesses_per_code_from_all_addresses,
    compares_only_five_of_a_hundred_concurrent_guesses_on_two_nodes,
    guesses_from_another_browser_do_not_consume_the_requesters_attempts,
    a_limited_network_cannot_confirm_a_correct_code,
    sends_a_user_at_most_five_codes_an_hour_and_twenty_a_day,
    a_browser_that_has_signed_in_has_a_separate_limit,
    the_browser_cookie_reveals_nothing_and_is_useless_to_others,
    records_wrong_guesses_once_an_hour
);

const PHONE: &str = "+15550100";

fn with_rider(engine: Engine) -> Arc<TestStore> {
    let store = TestStore::new(engine);
    store.command(&["user", "add", "--id", "r1", "--phone", PHONE]).expect_success();
    Arc::new(store)
}

fn limited(store: &Arc<TestStore>) -> TestApp {
    limited_later(store, 0)
}

fn limited_later(store: &Arc<TestStore>, seconds: i64) -> TestApp {
    let offset = seconds.to_string();
    let start = Start {
        limited: true,
        args: &["--trusted-proxies", "127.0.0.1"],
        env: &[("MUSETTE_CLOCK_OFFSET", offset.as_str())],
        ..Start::default()
    };
    TestApp::serve_with(store, start)
}

fn wrong(code: &str) -> &'static str {
    if code == "000000" { "000001" } else { "000000" }
}

trait At {
    fn at(self, address: &str) -> Self;
}

impl At for Request {
    fn at(self, address: &str) -> Self {
        self.header("x-forwarded-for", address)
    }
}

/// Stores one cookie.
#[derive(Clone, Default)]
struct Phone {
    cookie: Option<String>,
}

impl Phone {
    fn send(&mut self, request: Request) -> Answer {
        let request = match &self.cookie {
            Some(cookie) => request.header("cookie", cookie),
            None => request,
        };
        let answer = request.send();
        let set = set_cookies(&answer);
        let set = set.iter().find(|cookie| cookie.starts_with("musette_browser="));
        if let Some(pair) = set.and_then(|cookie| cookie.split(';').next()) {
            self.cookie = Some(pair.to_owned());
        }
        answer
    }

    #[track_caller]
    fn code(&mut self, app: &TestApp, address: &str) -> String {
        let before = logged_codes(app, PHONE).len();
        assert_eq!(self.send(ask_code(app, PHONE).at(address)).status, 202);
        soon("a code", || logged_codes(app, PHONE).get(before).cloned())
    }

    #[track_caller]
    fn signs_in(&mut self, app: &TestApp, code: &str, address: &str) -> Tokens {
        let answer = self.send(redeem(app, PHONE, code).at(address));
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
        Tokens::of(&answer.json())
    }
}

/// Waits until the server has sent all codes in the background: until no code arrives for a second.
/// Returns the number of codes.
fn settled(app: &TestApp) -> usize {
    let (mut count, mut since) = (logged_codes(app, PHONE).len(), Instant::now());
    while since.elapsed() < Duration::from_secs(1) {
        std::thread::sleep(Duration::from_millis(50));
        let now = logged_codes(app, PHONE).len();
        if now != count {
            (count, since) = (now, Instant::now());
        }
    }
    count
}

fn counts_guesses_per_code_from_all_addresses(engine: Engine) {
    let app = limited(&with_rider(engine));
    for right_from in ["203.0.113.1", "203.0.113.99"] {
        let before = logged_codes(&app, PHONE).len();
        ask_code(&app, PHONE).at("203.0.113.1").gives(202);
        let code = soon("a code", || logged_codes(&app, PHONE).get(before).cloned());
        for i in 1..=5 {
            let guess = redeem(&app, PHONE, wrong(&code));
            guess.at(&format!("203.0.113.{i}")).refused(401, "code_invalid");
        }
        redeem(&app, PHONE, &code).at(right_from).refused(401, "code_invalid");
        redeem(&app, PHONE, &code)
            .header("cookie", "musette_browser=00000000000000000000000000000000")
            .refused(401, "code_invalid");
    }
}

fn compares_only_five_of_a_hundred_concurrent_guesses_on_two_nodes(engine: Engine) {
    let store = with_rider(engine);
    let start = || Start::default();
    let nodes = [TestApp::serve_with(&store, start()), TestApp::serve_with(&store, start())];
    // The store's own test checks how many guesses are compared. This one checks that the code is
    // used up and that the responses do not differ.
    let code = new_code(&nodes[0], PHONE);
    let statuses = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for n in 0..100 {
            let (nodes, statuses, code) = (&nodes, &statuses, &code);
            scope.spawn(move || {
                let guess = redeem(&nodes[n % 2], PHONE, wrong(code)).send().status;
                statuses.lock().expect("no panic").push(guess);
            });
        }
    });
    assert!(statuses.lock().expect("no panic").iter().all(|status| *status == 401));
    redeem(&nodes[1], PHONE, &code).refused(401, "code_invalid");
}

fn guesses_from_another_browser_do_not_consume_the_requesters_attempts(engine: Engine) {
    let app = limited(&with_rider(engine));
    let mut phone = Phone::default();
    let code = phone.code(&app, "198.51.100.1");
    for i in 0..20 {
        let guess = redeem(&app, PHONE, wrong(&code)).at(&format!("203.0.113.{i}"));
        guess.refused(401, "code_invalid");
    }
    // The user moves to another network and mistypes the code once.
    let slip = phone.send(redeem(&app, PHONE, wrong(&code)).at("198.51.100.2"));
    slip.assert_problem(401, "code_invalid");
    phone.signs_in(&app, &code, "198.51.100.3");

    // The user has five attempts as well. A browser that has sent its cookie is not trusted without
    // it afterwards.
    let code = phone.code(&app, "198.51.100.1");
    phone.send(redeem(&app, PHONE, wrong(&code))).assert_problem(401, "code_invalid");
    redeem(&app, PHONE, &code).at("203.0.113.1").refused(401, "code_invalid");
    for _ in 0..4 {
        phone.send(redeem(&app, PHONE, wrong(&code))).assert_problem(401, "code_invalid");
    }
    phone.send(redeem(&app, PHONE, &code)).assert_problem(401, "code_invalid");
}

fn a_limited_network_cannot_confirm_a_correct_code(engine: Engine) {
    let app = limited(&with_rider(engine));
    let mut phone = Phone::default();
    let code = phone.code(&app, "198.51.100.1");
    let network = "203.0.113.1";
    for i in 0..60 {
        // These guesses are for other users, so that this code is not used up.
        redeem(&app, &format!("+1555020{i}"), "000000").at(network).gives(401);
    }
    for _ in 0..30 {
        redeem(&app, "+15550201", "000000").at(network).refused(429, "rate_limited");
    }
    let limited = redeem(&app, PHONE, &code).at(network).refused(429, "rate_limited");
    let wait: u64 = limited.header("retry-after").parse().expect("seconds");
    assert!((30..=61).contains(&wait), "{wait}");
    let with_cookie = phone.send(redeem(&app, PHONE, &code).at(network));
    with_cookie.assert_problem(429, "rate_limited");
    phone.signs_in(&app, &code, "198.51.100.1");
}

fn sends_a_user_at_most_five_codes_an_hour_and_twenty_a_day(engine: Engine) {
    let store = with_rider(engine);
    store
        .command(&["user", "add", "--id", "r1", "--email", "noor@larkspur.example"])
        .expect_success();
    let app = limited(&store);
    // The limit does not depend on the client or on which identifier of the user it requests.
    for i in 0..8 {
        ask_code(&app, PHONE).at(&format!("203.0.113.{i}")).gives(202);
        ask_code(&app, "noor@larkspur.example").at(&format!("203.0.114.{i}")).gives(202);
        // The responses do not differ.
        ask_code(&app, "+15550199").at(&format!("203.0.115.{i}")).gives(202);
    }
    settled(&app);
    let sent_count =
        || logged_codes(&app, PHONE).len() + logged_codes(&app, "noor@larkspur.example").len();
    assert_eq!(sent_count(), 5);
    // The last code stays valid.
    match (logged_codes(&app, PHONE).pop(), logged_codes(&app, "noor@larkspur.example").pop()) {
        (Some(code), _) => redeem(&app, PHONE, &code).gives(200),
        (None, code) => redeem(&app, "noor@larkspur.example", &code.expect("five")).gives(200),
    };
    for hour in 1..8 {
        let app = limited_later(&store, hour * 3605);
        for i in 0..8 {
            ask_code(&app, PHONE).at(&format!("203.0.113.{i}")).gives(202);
        }
        settled(&app);
    }
    assert_eq!(sent_count(), 20);
    let next_day = limited_later(&store, 24 * 3600 + 60);
    let before = logged_codes(&next_day, PHONE).len();
    ask_code(&next_day, PHONE).gives(202);
    soon("a code", || logged_codes(&next_day, PHONE).get(before).cloned());
}

fn a_browser_that_has_signed_in_has_a_separate_limit(engine: Engine) {
    let store = with_rider(engine);
    let app = limited(&store);
    let (mut phone, home) = (Phone::default(), "198.51.100.1");
    let code = phone.code(&app, home);
    let tokens = phone.signs_in(&app, &code, home);
    // Requests from four networks at first, and then from many more.
    for i in 0..40 {
        ask_code(&app, PHONE).at(&format!("203.0.113.{}", i % 20)).gives(202);
    }
    assert_eq!(settled(&app), 5, "one was the person's own, as a stranger like all others");
    let code = phone.code(&app, home);
    for i in 0..10 {
        let guess = redeem(&app, PHONE, wrong(&code)).at(&format!("203.0.113.{i}"));
        guess.refused(401, "code_invalid");
    }
    // Other clients cannot even guess it.
    redeem(&app, PHONE, &code).at("203.0.113.200").refused(401, "code_invalid");
    phone.signs_in(&app, &code, home);
    let before = settled(&app);
    for i in 0..8 {
        phone.send(ask_code(&app, PHONE).at(&format!("198.51.100.{i}")));
    }
    assert_eq!(settled(&app), before + 4, "five an hour, one of them above");
    // After signing out everywhere, the browser has no special rights.
    app.post("/api/session/v1/logout-all").token(&tokens.access).gives(204);
    let hour = limited_later(&store, 3605);
    for i in 0..8 {
        ask_code(&hour, PHONE).at(&format!("203.0.113.{i}")).gives(202);
    }
    let before = settled(&hour);
    assert_eq!(phone.send(ask_code(&hour, PHONE)).status, 202);
    assert_eq!(settled(&hour), before);
}

fn the_browser_cookie_reveals_nothing_and_is_useless_to_others(engine: Engine) {
    let store = with_rider(engine);
    store.command(&["user", "add", "--id", "r2", "--phone", "+15550102"]).expect_success();
    let app = TestApp::serve_with(&store, Start::default());
    let set = |answer: &Answer| {
        let all = set_cookies(answer);
        all.into_iter().find(|cookie| cookie.starts_with("musette_browser=")).unwrap_or_default()
    };
    let requested_cookie = set(&ask_code(&app, PHONE).gives(202));
    assert!(requested_cookie.contains("; HttpOnly; SameSite=Strict"), "{requested_cookie}");
    assert!(requested_cookie.contains("; Path=/api/session/v1;"), "{requested_cookie}");
    let value = requested_cookie.split(['=', ';']).nth(1).expect("a value");
    assert!(value.len() == 32 && value.bytes().all(|byte| byte.is_ascii_hexdigit()), "{value}");
    assert_ne!(requested_cookie, set(&ask_code(&app, PHONE).gives(202)), "random");
    assert_ne!(
        set(&ask_code(&app, "+15550199").gives(202)),
        "",
        "the cookies do not distinguish users"
    );
    soon("the two", || (logged_codes(&app, PHONE).len() == 2).then_some(()));
    let mut phone = Phone::default();
    phone.code(&app, "198.51.100.1");
    let again = phone.clone().send(ask_code(&app, PHONE));
    assert_eq!(set(&again), "", "it has one");
    let code = soon("a code", || logged_codes(&app, PHONE).get(3).cloned());
    let entered = phone.clone().send(redeem(&app, PHONE, &code));
    let stored_cookie = set(&entered);
    assert!(stored_cookie.contains("Max-Age=15552000"), "{stored_cookie}");
    assert_eq!(set_cookies(&entered).len(), 3);
    let tokens = Tokens::of(&entered.json());
    // The cookie alone gives no access, and it has no effect on another account.
    let cookie = phone.cookie.clone().expect("a cookie");
    app.get("/api/session/v1/me").header("cookie", &cookie).refused(401, "unauthenticated");
    me(&app, &tokens.access).gives(200);
    for bad in ["x", "", &"0".repeat(5000), "ABCDEFABCDEFABCDEFABCDEFABCDEFAB"] {
        ask_code(&app, PHONE).header("cookie", &format!("musette_browser={bad}")).gives(202);
    }
}

fn audit(app: &TestApp, token: &str, query: &str) -> Vec<Value> {
    let page = app.get(&format!("/api/admin/v1/audit?{query}")).token(token).gives(200).json();
    page["items"].as_array().expect("items").clone()
}

fn records_wrong_guesses_once_an_hour(engine: Engine) {
    let store = with_rider(engine);
    store.add_user("o1", &["operator"]);
    // Half past the hour, whatever the clock shows, so that the hour does not end during the test.
    let past_the_hour = musette::parts::clock::Clock::default().now().seconds() % 3600;
    let half_past = (3600 + 1800 - past_the_hour) % 3600;
    let app = later(&store, half_past);
    let token = token_at(&app, half_past);
    for n in 0..60 {
        redeem(&app, &format!("+155502{n:02}"), "000000").gives(401);
    }
    let code = new_code(&app, PHONE);
    for _ in 0..3 {
        redeem(&app, PHONE, wrong(&code)).gives(401);
    }
    let body = serde_json::json!({"email": "nobody@larkspur.example", "password": "a wrong one"});
    for _ in 0..4 {
        app.post("/api/session/v1/console/tokens").json(&body).gives(401);
    }
    let rows = soon("the rows", || {
        let rows = audit(&app, &token, "limit=50");
        let counted: i64 = rows.iter().filter_map(|row| row["count"].as_i64()).sum();
        (counted == 67).then_some(rows)
    });
    let of = |event: &str| rows.iter().filter(|row| row["event"] == event).collect::<Vec<_>>();
    let refused = of("code_refused");
    assert_eq!(refused.len(), 2, "{refused:?}");
    let rider = refused.iter().find(|row| row["user_id"] == "r1").expect("whose code it was");
    assert_eq!(rider["count"], 3);
    let console = of("console_sign_in_refused");
    assert_eq!((console.len(), &console[0]["count"]), (1, &4.into()), "{console:?}");
    assert_eq!(console[0]["detail"], "password");
    assert_eq!(of("code_sent").len(), 1);
    assert_eq!(audit(&app, &token, "user=r1&event=code_refused").len(), 1);
    // Page by page, with an entry of each kind.
    let (mut total, mut cursor) = (0, String::new());
    loop {
        let path = format!("/api/admin/v1/audit?limit=1{cursor}");
        let page = app.get(&path).token(&token).gives(200).json();
        total += page["items"].as_array().map_or(0, Vec::len);
        let Some(next) = page["next_cursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    assert_eq!(total, rows.len());
    // The next hour has separate entries.
    let next = later(&store, half_past + 3600);
    redeem(&next, PHONE, "000000").gives(401);
    let token = token_at(&next, half_past + 3600);
    soon("another row", || (audit(&next, &token, "event=code_refused").len() == 3).then_some(()));
}

fn token_at(app: &TestApp, seconds: i64) -> String {
    let mut program = app.program();
    program.args(["token", "issue", "--user", "o1"]);
    program.env("MUSETTE_CLOCK_OFFSET", seconds.to_string());
    let output: crate::store::CommandResult = program.output().expect("it runs").into();
    output.json()["dhhToken"].as_str().expect("a token").to_owned()
}
