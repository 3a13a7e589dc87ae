use musette_core::webhooks::{Secret, sign};
use serde_json::{Value, json};

use super::receiver::{Receiver, Reply};
use super::{add_webhook, deliveries, serve_allowing, with_admin};
use crate::admin::ADMIN;
use crate::app::TestApp;
use crate::store::Engine;
use crate::wire::{SUBMIT, accept, applicant};

on_both!(
    delivers_a_signed_event_and_redelivers_it_on_request,
    only_a_2xx_response_counts_as_delivered,
    a_webhook_that_answers_410_is_disabled,
);

fn serve(engine: Engine) -> (TestApp, String) {
    let (store, admin) = with_admin(engine);
    (serve_allowing(&store, "127.0.0.0/8"), admin)
}

fn delivers_a_signed_event_and_redelivers_it_on_request(engine: Engine) {
    let (app, admin) = serve(engine);
    let receiver = Receiver::start(Reply::Status(204));
    let body = json!({"url": receiver.url, "types": ["consent.recorded"], "description": "shifts"});
    let added = app.post(&format!("{ADMIN}/webhooks")).token(&admin).json(&body).gives(201).json();
    let id = added["id"].as_str().expect("an id");
    let secret = Secret::parse(added["secret"].as_str().expect("a secret")).expect("one");
    let term = app.term("FREELANCER", &[]);
    app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201);
    let message = receiver.next();
    let seconds = message.header("webhook-timestamp").parse().expect("seconds");
    let signed = sign(&[secret], message.header("webhook-id"), seconds, &message.body);
    assert_eq!(message.header("webhook-signature"), signed);
    let envelope: Value = message.json();
    assert_eq!(envelope["type"], "consent.recorded");
    let listed = super::events(&app, &admin, "types=consent.recorded");
    assert_eq!(listed["items"][0], envelope, "the same as in the list");
    assert_eq!(envelope["id"], message.header("webhook-id"));

    let one = format!("{ADMIN}/webhooks/{id}");
    let shown = app.get(&one).token(&admin).gives(200).json();
    assert!(shown.get("secret").is_none() && shown["enabled"] == true, "{shown}");
    app.post(&format!("{one}/rotate-secret")).token(&admin).gives(200);
    let resend = format!("{one}/deliveries/{}/resend", envelope["seq"]);
    app.post(&resend).token(&admin).gives(202);
    let again = receiver.next();
    assert_eq!(again.header("webhook-id"), message.header("webhook-id"));
    assert_eq!(again.header("webhook-signature").split(' ').count(), 2, "both secrets sign");
    app.post(&format!("{one}/test")).token(&admin).gives(202);
    let test = receiver.next();
    assert!(test.body.contains("\"webhook.test\""), "{}", test.body);
    let deliveries = app.get(&format!("{one}/deliveries")).token(&admin).gives(200).json();
    assert_eq!(deliveries["items"].as_array().map(Vec::len), Some(2), "{deliveries}");
    app.request("DELETE", &one).token(&admin).gives(204);
    app.get(&one).token(&admin).refused(404, "not_found");
}

fn only_a_2xx_response_counts_as_delivered(engine: Engine) {
    let (app, admin) = serve(engine);
    let receiver = Receiver::start(Reply::Never);
    let id = add_webhook(&app, &admin, &receiver.url);
    let cases = [(200, "delivered"), (202, "delivered"), (299, "delivered"), (400, "waiting")];
    for (tried, (status, want)) in (1..).zip(cases.into_iter().chain([(503, "waiting")])) {
        receiver.reply(Reply::Status(status));
        app.post(&format!("{ADMIN}/webhooks/{id}/test")).token(&admin).gives(202);
        receiver.next();
        let all =
            deliveries(&app, &admin, &id, |all| all.len() == tried && all[0]["attempts"] == 1);
        assert_eq!((&all[0]["status"], &all[0]["response_status"]), (&want.into(), &status.into()));
    }
}

fn a_webhook_that_answers_410_is_disabled(engine: Engine) {
    let (app, admin) = serve(engine);
    let receiver = Receiver::start(Reply::Status(410));
    let body = json!({"url": receiver.url, "types": ["consent.recorded"]});
    let added = app.post(&format!("{ADMIN}/webhooks")).token(&admin).json(&body).gives(201).json();
    let term = app.term("FREELANCER", &[]);
    app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201);
    receiver.next();
    let page = super::events(&app, &admin, "types=webhook.disabled&wait=25");
    assert_eq!(page["items"][0]["data"], json!({"webhook_id": added["id"], "reason": "gone"}));
    let one = format!("{ADMIN}/webhooks/{}", added["id"].as_str().expect("an id"));
    assert_eq!(app.get(&one).token(&admin).gives(200).json()["disabled_because"], "gone");
    app.post(&format!("{one}/test")).token(&admin).refused(409, "conflict");
    // A changed description does not enable the webhook.
    let changed = json!({"url": receiver.url, "types": ["consent.recorded"], "description": "d"});
    let changed = app.request("PUT", &one).token(&admin).json(&changed).gives(200).json();
    assert_eq!((&changed["enabled"], &changed["description"]), (&json!(false), &json!("d")));
}
