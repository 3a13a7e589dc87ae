use serde_json::json;

use super::{V1, issue, me, refresh, refreshed, set_cookies};
use crate::app::{Start, TestApp};
use crate::request::Request;
use crate::store::{Engine, TestStore};
use std::sync::Arc;

on_both!(
    scripts_cannot_read_hardened_cookies,
    reads_the_cookie_name_of_the_previous_release,
    the_last_sign_in_replaces_the_earlier_one,
    a_request_with_only_a_cookie_needs_json_and_the_same_origin,
    signs_out_with_a_cookie,
    sets_secure_cookies_over_https,
    over_https_ignores_cookies_that_another_host_can_set
);

/// Builds a request like a browser's: no body, only the cookie.
fn by_cookie(app: &TestApp, path: &str, refresh: &str) -> Request {
    by_named_cookie(app, path, "__Host-refresh_token", refresh)
}

fn by_named_cookie(app: &TestApp, path: &str, name: &str, refresh: &str) -> Request {
    app.post(&format!("{V1}/{path}"))
        .header("cookie", &format!("a=b; {name}={refresh}; c=d"))
        .body("application/json", b"")
}

#[track_caller]
fn hardened_token(cookies: &[String]) -> String {
    let cookie = cookies
        .iter()
        .find(|cookie| cookie.starts_with("__Host-refresh_token="))
        .expect("a cookie");
    assert!(!cookie.contains("Domain"), "{cookie}");
    for part in ["; HttpOnly", "; Secure", "; SameSite=Strict", "; Path=/"] {
        assert!(cookie.contains(part), "{part} is missing in {cookie}");
    }
    let (_, value) = cookie.split_once('=').expect("a value");
    value.split(';').next().expect("a value").to_owned()
}

fn scripts_cannot_read_hardened_cookies(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1"));
    let tokens = issue(&app, "r1");
    let answer = refresh(&app, &tokens.refresh).header("x-musette-cookies", "hardened").gives(200);
    assert!(answer.json().get("refreshToken").is_none(), "{}", answer.json());
    let cookies = set_cookies(&answer);
    let next = hardened_token(&cookies);
    let access = cookies.iter().find(|cookie| cookie.starts_with("dhh_token=")).expect("a cookie");
    assert!(!access.contains("HttpOnly"), "{access}");

    // Without the header for the hardened profile the response contains no token that a script can
    // read.
    let same = |request: Request| request.header("sec-fetch-site", "same-origin").gives(200);
    let answer = same(by_cookie(&app, "refresh", &next));
    assert!(answer.json().get("refreshToken").is_none(), "{}", answer.json());
    let after = hardened_token(&set_cookies(&answer));
    assert_ne!(after, next);
    let again = same(by_cookie(&app, "refresh", &next).header("x-musette-cookies", "hardened"));
    assert_eq!(hardened_token(&set_cookies(&again)), after, "a lost answer");
    // A body with an empty object contains no token.
    let empty = by_cookie(&app, "refresh", &after).bytes(b"{}");
    same(empty);
}

fn reads_the_cookie_name_of_the_previous_release(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1"));
    let tokens = issue(&app, "r1");
    let old = by_named_cookie(&app, "refresh", "refresh_token", &tokens.refresh);
    let cookies = set_cookies(&old.header("sec-fetch-site", "same-origin").gives(200));
    hardened_token(&cookies);
    // The old cookie is deleted, or it would be used again when the new one is gone.
    let cleared =
        cookies.iter().find(|cookie| cookie.starts_with("refresh_token=;")).expect("cleared");
    assert!(cleared.contains("Max-Age=0") && cleared.contains("Path=/"), "{cleared}");
    // If both cookies are sent, the hardened one counts, because any page of the domain can set the
    // other.
    let other = issue(&app, "r1");
    let both = format!("refresh_token={}; __Host-refresh_token={}", tokens.refresh, other.refresh);
    let request = app.post(&format!("{V1}/refresh")).header("cookie", &both);
    let answer = request.header("sec-fetch-site", "same-origin").body("application/json", b"");
    let answer = answer.gives(200);
    hardened_token(&set_cookies(&answer));
    let tokens = answer.json();
    let sid = |access: &str| me(&app, access).gives(200).json()["sid"].clone();
    assert_eq!(sid(tokens["dhhToken"].as_str().expect("a token")), sid(&other.access));
}

/// Two people on one device, one in the console and one in the rider app.
fn the_last_sign_in_replaces_the_earlier_one(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1").with_rider("o1"));
    let (rider, operator) = (issue(&app, "r1"), issue(&app, "o1"));
    let cookie = format!("__Host-refresh_token={}", operator.refresh);
    let compatible = refresh(&app, &rider.refresh).header("cookie", &cookie).gives(200);
    let cookies = set_cookies(&compatible);
    assert_eq!(hardened_token(&cookies), "", "{cookies:?}");
    assert!(
        cookies
            .iter()
            .any(|cookie| cookie.starts_with("refresh_token=") && !cookie.contains("Max-Age=0"))
    );
    let cookie = format!("refresh_token={}", rider.refresh);
    let hardened = refresh(&app, &operator.refresh).header("cookie", &cookie);
    let cookies = set_cookies(&hardened.header("x-musette-cookies", "hardened").gives(200));
    assert_ne!(hardened_token(&cookies), "");
    assert!(cookies.iter().any(|cookie| cookie.starts_with("refresh_token=;")), "{cookies:?}");
}

fn a_request_with_only_a_cookie_needs_json_and_the_same_origin(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1"));
    let tokens = issue(&app, "r1");
    let origin = format!("http://{}", app.address);
    for path in ["refresh", "logout", "logout-all"] {
        for (name, value) in [
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
            ("sec-fetch-site", "none"),
            ("origin", "https://elsewhere.example"),
            ("origin", "null"),
            ("x-nothing", "at all"),
        ] {
            let request = by_cookie(&app, path, &tokens.refresh).header(name, value);
            let refused = request.refused(403, "cross_site");
            assert_eq!(set_cookies(&refused), [""; 0], "{path} {name}: {value}");
        }
        let lies = by_cookie(&app, path, &tokens.refresh).header("origin", &origin);
        lies.header("sec-fetch-site", "cross-site").refused(403, "cross_site");
        let form = app
            .post(&format!("{V1}/{path}"))
            .header("cookie", &format!("__Host-refresh_token={}", tokens.refresh))
            .header("sec-fetch-site", "same-origin");
        let refused = form.clone().body("text/plain", b"").refused(415, "unsupported_media_type");
        assert_eq!(set_cookies(&refused), [""; 0]);
        form.refused(415, "unsupported_media_type");
    }
    me(&app, &tokens.access).gives(200);
    let answer = by_cookie(&app, "refresh", &tokens.refresh).header("origin", &origin).gives(200);
    hardened_token(&set_cookies(&answer));
    let body = json!({"refresh_token": tokens.refresh});
    let from_elsewhere = app.post(&format!("{V1}/refresh")).json(&body);
    from_elsewhere.header("sec-fetch-site", "cross-site").gives(200);
}

fn signs_out_with_a_cookie(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1"));
    let tokens = issue(&app, "r1");
    let expired = app.command(&["token", "issue", "--user", "r1", "--access-ttl", "-1"]).json();
    let logout = by_cookie(&app, "logout", &tokens.refresh)
        .header("sec-fetch-site", "same-origin")
        .token(expired["dhhToken"].as_str().expect("a token"));
    let cookies = set_cookies(&logout.gives(204));
    assert_eq!(cookies.len(), 3);
    assert_eq!(hardened_token(&cookies), "");
    refresh(&app, &tokens.refresh).refused(401, "session_ended");
}

/// A server under the same domain can set any cookie except one that begins with `__Host-`.
fn over_https_ignores_cookies_that_another_host_can_set(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r1").with_rider("r2");
    store.add_user("a1", &["admin"]);
    let store = Arc::new(store);
    let args = [
        "--public-url",
        "https://terms.larkspur.example",
        "--oidc-issuer",
        "https://id.larkspur.example",
        "--oidc-client-id",
        "musette",
    ];
    let app = TestApp::serve_with(&store, Start { args: &args, ..Start::default() });
    let (own, tossed) = (issue(&app, "r1"), issue(&app, "r2"));
    let answer = refresh(&app, &own.refresh).header("x-musette-cookies", "hardened").gives(200);
    // The cookies that the client of the specification reads keep their names. The server does not
    // read them.
    let for_scripts = ["dhh_token=", "refresh_token="];
    for cookie in set_cookies(&answer) {
        let is_own = cookie.starts_with("__Host-") && cookie.contains("; Path=/;");
        assert!(is_own || for_scripts.iter().any(|name| cookie.starts_with(name)), "{cookie}");
        assert!(cookie.contains("; Secure") && !cookie.contains("Domain"), "{cookie}");
    }
    assert!(set_cookies(&answer).iter().any(|cookie| cookie.starts_with("__Host-dhh_token=")));
    for path in ["refresh", "logout", "logout-all"] {
        let request = by_named_cookie(&app, path, "refresh_token", &tossed.refresh);
        let request = request.header("origin", "https://terms.larkspur.example");
        let status = request.send().status;
        assert!([400, 401].contains(&status), "{path}: {status}");
    }
    refresh(&app, &tossed.refresh).gives(200);
    // Documents of drafts, which a browser loads on its own.
    let admin = refreshed(&app, &issue(&app, "a1").refresh).access;
    let drafts = "/api/admin/v1/term-drafts";
    let draft = json!({"type": "FREELANCER", "variants": [{"locale": "en", "title": "Terms"}]});
    let draft = app.post(drafts).token(&admin).json(&draft).gives(201);
    let path = format!("{drafts}/{}/documents/en", draft.json()["id"].as_str().expect("an id"));
    let upload = app.request("PUT", &path).token(&admin).header("if-match", draft.header("etag"));
    let upload = upload.body("application/pdf", &crate::pdf::page("a draft")).gives(200).json();
    let sha256 = upload["variants"][0]["document"]["sha256"].as_str().expect("a hash").to_owned();
    let hidden = format!("/documents/{sha256}.pdf");
    let read =
        |name: &str| app.get(&hidden).header("cookie", &format!("{name}={admin}")).send().status;
    assert_eq!((read("dhh_token"), read("__Host-dhh_token")), (404, 200));
    // The cookies of a code request and of a sign-in with the provider.
    let body = json!({"identifier": "nobody@larkspur.example"});
    let response = app.post(&format!("{V1}/codes")).json(&body).gives(202);
    let cookies = set_cookies(&response);
    assert!(
        cookies.iter().all(|cookie| cookie.starts_with("__Host-musette_browser=")),
        "{cookies:?}"
    );
    let back = app.get(&format!("{V1}/console/oidc/callback?code=c&state=s"));
    let cookies = set_cookies(&back.header("cookie", "musette_oidc=tossed").gives(303));
    assert!(
        cookies.iter().all(|cookie| cookie.starts_with("__Host-musette_oidc=;")),
        "{cookies:?}"
    );
    assert!(!cookies.is_empty());
}

fn sets_secure_cookies_over_https(engine: Engine) {
    let store = Arc::new(TestStore::new(engine).with_rider("r1"));
    let args = ["--public-url", "https://terms.larkspur.example"];
    let app = TestApp::serve_with(&store, Start { args: &args, ..Start::default() });
    let tokens = issue(&app, "r1");
    let answer = refresh(&app, &tokens.refresh).gives(200);
    for cookie in set_cookies(&answer) {
        assert!(cookie.ends_with("; SameSite=Lax; Secure"), "{cookie}");
    }
    let next = refreshed(&app, &tokens.refresh).refresh;
    let from = |origin: &str| by_cookie(&app, "refresh", &next).header("origin", origin);
    from(&format!("http://{}", app.address)).refused(403, "cross_site");
    from("https://terms.larkspur.example").gives(200);
}
