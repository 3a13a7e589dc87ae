//! Keys, bodies and origins that flag requests accept.

use serde_json::json;

use super::fixture::{Flags, etag, explanation};
use crate::store::Engine;

on_both!(
    hides_server_flags_from_clients,
    requires_a_key_of_the_environment,
    checks_bodies,
    allows_pages_of_all_origins,
);

fn hides_server_flags_from_clients(engine: Engine) {
    let flags = Flags::start(engine);
    let path = "/api/flags/v1/features/hidden";
    let by_server = flags.app.request("PUT", path).token(&flags.server).json(&json!({}));
    assert_eq!(by_server.gives(200).json()["variation"], false);
    let of = |key: &str| {
        let all = flags.app.request("PUT", "/api/flags/v3/features").token(key).json(&json!({}));
        let answer = all.gives(200);
        (answer.json()["flags"].get("hidden").is_some(), etag(&answer))
    };
    let (client, server) = (of(&flags.client), of(&flags.server));
    assert_eq!((client.0, server.0), (false, true));
    assert_ne!(client.1, server.1);
}

fn requires_a_key_of_the_environment(engine: Engine) {
    let flags = Flags::start(engine);
    let request = || flags.app.request("PUT", "/api/flags/v3/features/plain").json(&json!({}));
    request().refused(401, "unauthenticated");
    request().token("nobody's").refused(401, "unauthenticated");
    request().header("authorization", &flags.client).refused(401, "unauthenticated");
    let two = request().token(&flags.client).token(&flags.client);
    two.refused(401, "unauthenticated");
    let refused = request().token("").refused(401, "unauthenticated");
    assert!(refused.header("www-authenticate").starts_with("Bearer"));
    // A key of another environment shows only that environment.
    flags.app.import(
        "staging",
        &json!({"schema": "musette.flags/1", "environment": "staging",
        "version": 0, "attributes": [], "segments": [], "layers": [], "holdouts": [], "flags": []}),
    );
    let staging = flags.app.flag_key("staging", "server", &[]);
    let answer = request().token(&staging).gives(200).json();
    assert_eq!(explanation(&answer), ("ERROR", "error:FLAG_NOT_FOUND"));
    // A rider's token is not a flag key.
    flags.app.add_user("r1", &["rider"]);
    request().token(&flags.app.token("r1")).refused(401, "unauthenticated");
}

fn checks_bodies(engine: Engine) {
    let flags = Flags::start(engine);
    let put = |path: &str| flags.app.request("PUT", path).token(&flags.client);
    let one = || put("/api/flags/v3/features/plain");
    for path in ["/api/flags/v3/features/plain", "/api/flags/v1/features", "/api/flags/v3/features"]
    {
        for body in [
            &b""[..],
            b"{",
            b"{} x",
            br#"{"a":1,"a":2}"#,
            br#"{"x":{"a":1,"\u0061":2}}"#,
            br#"{"userId":"\ud800"}"#,
            b"{\"a\":\"\xff\"}",
            br#"{"a":1e999}"#,
            br#"{"a":NaN}"#,
        ] {
            put(path).body("application/json", body).refused(400, "malformed_json");
            // The body is checked before the key.
            let anonymous = flags.app.request("PUT", path).body("application/json", body);
            anonymous.refused(400, "malformed_json");
        }
        let nested = |depth: usize| {
            format!("{{\"a\":{}{}}}", "[".repeat(depth), "]".repeat(depth)).into_bytes()
        };
        put(path).body("application/json", &nested(32)).refused(400, "malformed_json");
        put(path).body("application/json", &nested(40_000)).refused(413, "body_too_large");
        put(path).body("text/plain", b"{}").refused(415, "unsupported_media_type");
        put(path).bytes(b"{}").refused(415, "unsupported_media_type");
        for body in [&b"[]"[..], b"5", b"null", b"\"a\""] {
            let refused = put(path).body("application/json", body);
            refused.refused(422, "invalid_request");
        }
    }
    let nested = format!("{{\"a\":{}{}}}", "[".repeat(31), "]".repeat(31));
    one().body("application/json", nested.as_bytes()).gives(200);
    let padded = |bytes: usize| format!("{{\"a\":\"{}\"}}", "x".repeat(bytes - 8)).into_bytes();
    one().body("application/json", &padded(65_536)).gives(200);
    one().body("application/json", &padded(65_537)).refused(413, "body_too_large");
    let odd = json!({"__proto__": {"userId": "u-qa"}, "constructor": [], "": "", "userId": {"a": 1},
        "country": ["UY"], "hours": "NaN", "appVersion": "not a version", "key": true});
    for flag in ["plain", "targeted", "ruled", "ramped", "tested", "kept", "held", "overridden"] {
        let result = flags.result(flag, &odd);
        assert_eq!(explanation(&result), ("DEFAULT", "default"), "{flag}");
    }
    put("/api/flags/v1/features").json(&json!({})).refused(400, "feature_list_required");
    let anonymous = flags.app.request("PUT", "/api/flags/v1/features").json(&json!({}));
    anonymous.refused(400, "feature_list_required");
}

fn allows_pages_of_all_origins(engine: Engine) {
    let flags = Flags::start(engine);
    let page = "https://shop.example";
    let answer = flags.one("v3", "plain", &json!({})).header("origin", page).gives(200);
    assert_eq!(answer.header("access-control-allow-origin"), "*");
    assert_eq!(answer.header("access-control-expose-headers"), "ETag, Retry-After");
    assert_eq!(answer.header("access-control-allow-credentials"), "");
    let refused = flags.app.request("PUT", "/api/flags/v3/features").header("origin", page);
    let refused = refused.refused(415, "unsupported_media_type");
    assert_eq!(refused.header("access-control-allow-origin"), "*", "errors can be read as well");
    for path in ["/api/flags/v3/features/plain", "/ofrep/v1/evaluate/flags", "/api/flags/v3/events"]
    {
        let preflight = flags
            .app
            .request("OPTIONS", path)
            .header("origin", page)
            .header("access-control-request-method", "PUT")
            .header("access-control-request-headers", "authorization,content-type,if-none-match")
            .gives(204);
        let allowed = |name: &str| preflight.header(name).to_ascii_lowercase();
        assert_eq!(allowed("access-control-allow-origin"), "*");
        for method in ["get", "put", "post"] {
            assert!(allowed("access-control-allow-methods").contains(method));
        }
        for name in ["authorization", "content-type", "if-none-match", "x-musette-sdk", "x-api-key"]
        {
            assert!(allowed("access-control-allow-headers").contains(name), "{name}");
        }
    }
}
