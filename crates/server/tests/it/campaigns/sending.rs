//! Attempts, failures, nodes and times of day.

use std::sync::Arc;
use std::time::{Duration, Instant};

use musette::parts::clock::Clock;
use serde_json::{Value, json};

use super::fixture::{Campaigns, at_once, node, store};
use super::mail_server::Reply;
use super::message;
use crate::admin::ADMIN;
use crate::integration::receiver::{Receiver, Reply as PostReply};
use crate::store::{Engine, TestStore};
use crate::until::until;
use crate::wire::{SUBMIT, accept, rider};

on_both!(
    repeats_an_unanswered_attempt_with_the_same_bytes,
    a_killed_node_repeats_what_may_have_been_sent,
    two_nodes_contact_each_rider_once_and_keep_the_rate,
    skips_an_address_that_was_refused_permanently,
    records_reports_of_mail_servers,
    waits_for_the_hours_of_the_day,
    sends_one_message_for_several_past_steps,
    posts_signed_messages_to_a_webhook,
    does_not_contact_people_who_decide_during_the_campaign,
    a_restored_store_pauses_running_campaigns,
    unsubscribes_from_emails_about_optional_terms_by_post_only,
    commands_control_campaigns_and_record_bounces,
);

fn repeats_an_unanswered_attempt_with_the_same_bytes(engine: Engine) {
    let store = store(engine, 1);
    let term = store.term("MARKETING", &[]);
    let campaigns = Campaigns::start(&store);
    campaigns.mail.reply(Reply::Close);
    let id = campaigns.started(term, "email");
    let first = campaigns.mail.next();
    campaigns.mail.reply(Reply::Accept);
    let second = campaigns.mail.next();
    assert_eq!(first, second);
    assert!(first.header("list-unsubscribe").is_some(), "the term is optional");
    campaigns.until_status(&id, "finished");
    let message = message(&campaigns.people(&id)[0]);
    assert_eq!((&message["repeated"], &message["outcome"]), (&json!(true), &json!("accepted")));
    assert_eq!(message["message_id"], first.message_id());
}

fn a_killed_node_repeats_what_may_have_been_sent(engine: Engine) {
    let store = store(engine, 3);
    let term = store.term("FREELANCER", &["--mandatory"]);
    let mut campaigns = Campaigns::start(&store);
    campaigns.mail.reply(Reply::Never);
    // Without a link: the restarted node has another port.
    let mut body = at_once(term, "email");
    body["texts"]["en"]["body"] = json!("Read it by {{deadline}}.");
    let id = campaigns.add(&body);
    campaigns.act(&id, "start").assert_status(200);
    let mut first: Vec<_> = (0..3).map(|_| campaigns.mail.next()).collect();
    campaigns.app.signal("KILL");
    campaigns.app.wait_for_exit(Duration::from_secs(10));
    campaigns.mail.reply(Reply::Accept);
    let restarted = Instant::now();
    campaigns.restart(&[], 0);
    let mut second: Vec<_> = (0..3).map(|_| campaigns.mail.next()).collect();
    assert!(restarted.elapsed() < Duration::from_secs(45), "{:?}", restarted.elapsed());
    first.sort_by_key(|mail| mail.recipient.clone());
    second.sort_by_key(|mail| mail.recipient.clone());
    assert_eq!(first, second);
    campaigns.until_status(&id, "finished");
    for person in campaigns.people(&id) {
        assert_eq!(person["status"], "served");
        assert_eq!(message(&person)["repeated"], true);
    }
    assert_eq!(campaigns.mail.unread(), []);
}

fn two_nodes_contact_each_rider_once_and_keep_the_rate(engine: Engine) {
    const RIDERS: usize = 30;
    let store = store(engine, 0);
    for i in 0..RIDERS {
        store.add_user(&format!("r{i}"), &["rider"]);
    }
    store.tamper("UPDATE users SET email = id || '@larkspur.example' WHERE id LIKE 'r%'");
    let term = store.term("FREELANCER", &["--mandatory"]);
    let campaigns = Campaigns::start(&store);
    let _other = node(&store, &campaigns.mail, &[], 0);
    let id = campaigns.started(term, "email");
    let first = campaigns.mail.next();
    let began = Instant::now();
    let mut recipients = vec![first.recipient];
    recipients.extend((1..RIDERS).map(|_| campaigns.mail.next().recipient));
    // 20 a second; a few more may leave at the start.
    let least = Duration::from_millis((RIDERS as u64 - 1) * 50 * 3 / 4);
    assert!(began.elapsed() > least, "{:?}", began.elapsed());
    recipients.sort();
    recipients.dedup();
    assert_eq!(recipients.len(), RIDERS);
    campaigns.until_status(&id, "finished");
    assert_eq!(campaigns.mail.unread(), []);
    let progress = campaigns.get(&format!("/campaigns/{id}"))["steps"][0]["progress"].clone();
    assert_eq!(progress["accepted"], RIDERS);
    campaigns.app.command(&["log", "verify"]).expect_success();
}

fn skips_an_address_that_was_refused_permanently(engine: Engine) {
    let store = store(engine, 1);
    let term = store.term("FREELANCER", &["--mandatory"]);
    let campaigns = Campaigns::start(&store);
    campaigns.mail.reply(Reply::Refuse("550 5.1.1 no such user"));
    let id = campaigns.started(term, "email");
    campaigns.until_status(&id, "finished");
    let person = campaigns.until_person(&id, "r1", "bounced");
    assert_eq!(
        (&message(&person)["outcome"], &message(&person)["status"]),
        (&json!("bounced"), &json!("5.1.1"))
    );
    assert_eq!(campaigns.events("notice.bounced").len(), 1);
    campaigns.mail.unread();
    campaigns.mail.reply(Reply::Accept);
    let next = campaigns.started(term, "email");
    campaigns.until_status(&next, "finished");
    let person = campaigns.until_person(&next, "r1", "skipped");
    assert_eq!(person["reason"], "bounced");
    // Another address is tried.
    let args = ["user", "add", "--id", "r1", "--email", "new@larkspur.example"];
    store.command(&args).expect_success();
    let third = campaigns.started(term, "email");
    campaigns.until_status(&third, "finished");
    // The former address gets a message about the change.
    let mails = campaigns.mail.unread();
    assert!(mails.iter().any(|mail| mail.recipient == "new@larkspur.example"), "{mails:?}");
    // A temporary refusal is tried again after a quarter of an hour.
    campaigns.mail.reply(Reply::Refuse("451 4.7.1 greylisted"));
    let fourth = campaigns.started(term, "email");
    campaigns.mail.next();
    let person = campaigns.until_person(&fourth, "r1", "waiting");
    until("the refusal is recorded", || {
        message(&campaigns.people(&fourth)[0])["status"] == "4.7.1"
    });
    assert_eq!(message(&person).get("repeated"), None);
    assert_eq!(campaigns.status(&fourth), "running");
}

fn records_reports_of_mail_servers(engine: Engine) {
    let store = store(engine, 2);
    let term = store.term("FREELANCER", &["--mandatory"]);
    let campaigns = Campaigns::start(&store);
    let id = campaigns.started(term, "email");
    let mails = [campaigns.mail.next(), campaigns.mail.next()];
    campaigns.until_status(&id, "finished");
    let of = |user: &str| {
        let recipient = format!("{user}@larkspur.example");
        mails.iter().find(|mail| mail.recipient == recipient).expect("an e-mail").message_id()
    };
    let unknown = "0193b2d0-7f3a-7a61-9c1e-2f5a6b7c8d9e@larkspur.example";
    campaigns.bounce(unknown, "failed", "5.1.1").assert_problem(404, "not_found");
    campaigns.bounce("x", "failed", "5.1.1").assert_problem(404, "not_found");
    for action in ["delayed", "relayed", "delivered"] {
        campaigns.bounce(&of("r1"), action, "4.4.1").assert_status(200);
    }
    campaigns.until_person(&id, "r1", "served");
    let request =
        || campaigns.app.post(&format!("{ADMIN}/notices/bounces")).token(&campaigns.legal);
    request().body("application/json", b"{}").refused(415, "unsupported_media_type");
    let no_status = "--b\r\nContent-Type: message/rfc822\r\n\r\nMessage-ID: <a@b>\r\n--b--\r\n";
    let media_type = "multipart/report; boundary=b";
    request().body(media_type, no_status.as_bytes()).refused(422, "no_delivery_status");
    campaigns.bounce(&of("r1"), "failed", "5.1.1").assert_status(200);
    let person = campaigns.until_person(&id, "r1", "bounced");
    assert_eq!(message(&person)["status"], "5.1.1");
    campaigns.bounce(&of("r1"), "failed", "5.2.2").assert_status(200);
    assert_eq!(message(&campaigns.people(&id)[0])["status"], "5.1.1", "a repeated report");
    assert_eq!(campaigns.events("notice.bounced").len(), 1);
    // A temporary failure is sent again: the campaign has not finished.
    campaigns.bounce(&of("r2"), "failed", "4.4.7").assert_status(200);
    campaigns.until_person(&id, "r2", "waiting");
    assert_eq!(campaigns.status(&id), "running");
    campaigns.app.command(&["log", "verify"]).expect_success();
}

/// Returns the seconds from now to the next time at this hour of the day in UTC.
fn until_hour(hour: i64) -> i64 {
    let now = Clock::default().now().seconds();
    (hour * 3600 - now).rem_euclid(86_400)
}

fn waits_for_the_hours_of_the_day(engine: Engine) {
    let store = store(engine, 1);
    let term = store.term("FREELANCER", &["--mandatory"]);
    let ahead_s = until_hour(21);
    let mut campaigns = Campaigns::serve(&store, &[], ahead_s);
    let mut body = at_once(term, "email");
    body["any_time"] = json!(false);
    let id = campaigns.add(&body);
    campaigns.act(&id, "start").assert_status(200);
    campaigns.until_person(&id, "r1", "waiting");
    until("the step is prepared", || {
        campaigns.get(&format!("/campaigns/{id}"))["steps"][0]["progress"]["waiting"] == 1
    });
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(campaigns.mail.unread(), []);
    // Eleven and a half hours later it is half past 8.
    campaigns.restart(&[], ahead_s + 11 * 3600 + 1800);
    assert_eq!(campaigns.mail.next().recipient, "r1@larkspur.example");
    campaigns.until_status(&id, "finished");
}

fn sends_one_message_for_several_past_steps(engine: Engine) {
    let store = store(engine, 1);
    store
        .command(&["user", "add", "--id", "p1", "--role", "rider", "--phone", "+15550100"])
        .expect_success();
    let term = store.term("FREELANCER", &["--mandatory"]);
    let receiver = Receiver::start(PostReply::Status(204));
    let campaigns = Campaigns::serve(&store, &["--notice-webhook", &receiver.url], 0);
    let mut body = at_once(term, "email");
    let past = |days: i64, channel: &str| {
        let now = Clock::default().now().millis();
        let at = musette_core::instant::Instant::from_millis(now - days * 24 * 3_600_000);
        json!({"at": {"instant": at.to_string()}, "channel": channel})
    };
    body["steps"] = json!([past(9, "sms"), past(2, "email"), past(5, "email")]);
    let id = campaigns.add(&body);
    campaigns.act(&id, "start").assert_status(200);
    campaigns.until_status(&id, "finished");
    assert_eq!(campaigns.mail.unread().len(), 1);
    assert_eq!(receiver.unread(), 1);
    let people = campaigns.people(&id);
    let steps = |i: usize| {
        let messages = people[i]["messages"].as_array().expect("messages").clone();
        messages.iter().map(|one| one["step"].clone()).collect::<Vec<Value>>()
    };
    assert_eq!(steps(0), [json!(0)], "only the first step reaches p1");
    assert_eq!(steps(1), [json!(1)], "the latest step");
}

fn posts_signed_messages_to_a_webhook(engine: Engine) {
    let store = store(engine, 1);
    let term = store.term("FREELANCER", &["--mandatory"]);
    let receiver = Receiver::start(PostReply::Status(503));
    let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    let args = ["--notice-webhook", &receiver.url, "--notice-webhook-secret", secret];
    let campaigns = Campaigns::serve(&store, &args, 0);
    let id = campaigns.started(term, "webhook");
    let post = receiver.next();
    let webhook = standardwebhooks::Webhook::new(secret).expect("a secret");
    let mut headers = ureq::http::HeaderMap::new();
    for name in ["webhook-id", "webhook-timestamp", "webhook-signature"] {
        headers.insert(name, post.header(name).parse().expect("a value"));
    }
    webhook.verify(&post.bytes, &headers).expect("the signature is valid");
    let body = post.json();
    assert_eq!((&body["identifier"], &body["kind"]), (&json!("r1"), &json!("user")));
    assert_eq!((&body["notice"]["type"], &body["languages"]), (&json!("campaign"), &json!("en")));
    assert_eq!(body["notice"]["subject"], "A text for Ada");
    // The failure is temporary, and it is known that the message was not accepted.
    until("the refusal is recorded", || message(&campaigns.people(&id)[0])["status"] == "503");
    assert_eq!(message(&campaigns.people(&id)[0]).get("repeated"), None);
    receiver.reply(PostReply::Status(400));
    let next = campaigns.started(term, "webhook");
    campaigns.until_person(&next, "r1", "failed");
    receiver.reply(PostReply::Status(204));
    let third = campaigns.started(term, "webhook");
    campaigns.until_status(&third, "finished");
    let message = message(&campaigns.people(&third)[0]);
    assert_eq!(message["outcome"], "accepted");
    assert_eq!(message.get("message_id"), None);
    assert_eq!(campaigns.events("notice.failed").len(), 1);
}

fn does_not_contact_people_who_decide_during_the_campaign(engine: Engine) {
    let store = store(engine, 4);
    let term = store.term("FREELANCER", &["--mandatory"]);
    let campaigns = Campaigns::serve(&store, &["--notice-rate", "1"], 0);
    let id = campaigns.started(term, "email");
    let first = campaigns.mail.next().recipient;
    let users: Vec<String> = (1..=4).map(|i| format!("r{i}")).collect();
    let decided: Vec<&String> =
        users.iter().filter(|user| !first.starts_with(user.as_str())).collect();
    for user in &decided {
        let token = store.token(user);
        let body = rider(user, &accept(&[term]));
        campaigns.app.post(SUBMIT).token(&token).json(&body).gives(201);
    }
    campaigns.until_status(&id, "finished");
    // One message a second: at most one of the others can have been sent before their decision.
    assert!(campaigns.mail.unread().len() <= 1);
    let others = campaigns.statuses(&id);
    assert_eq!(others.iter().filter(|(_, status)| status == "decided").count(), 3);
}

fn a_restored_store_pauses_running_campaigns(engine: Engine) {
    let original = store(engine, 1);
    let term = original.term("FREELANCER", &["--mandatory"]);
    let campaigns = Campaigns::start(&original);
    let mut body = at_once(term, "email");
    body["steps"][0]["at"]["by"] = json!("P1D");
    let id = campaigns.add(&body);
    campaigns.act(&id, "start").assert_status(200);
    let file = original.path("musette.backup");
    let file = file.to_str().expect("UTF-8");
    original.command(&["backup", file]).expect_success();
    let copy = TestStore::new(engine);
    let output = copy.command(&["restore", file]).expect_success();
    assert!(output.contains("campaign"), "{output}");
    let copy = Arc::new(copy);
    let restored = Campaigns::start(&copy);
    assert_eq!(restored.status(&id), "paused");
    assert_eq!(campaigns.status(&id), "running");
}

fn unsubscribes_from_emails_about_optional_terms_by_post_only(engine: Engine) {
    let store = store(engine, 1);
    let (optional, mandatory) =
        (store.term("MARKETING", &[]), store.term("FREELANCER", &["--mandatory"]));
    let campaigns = Campaigns::start(&store);
    let id = campaigns.started(optional, "email");
    let mail = campaigns.mail.next();
    campaigns.until_status(&id, "finished");
    assert_eq!(mail.header("list-unsubscribe-post").as_deref(), Some("List-Unsubscribe=One-Click"));
    let url = mail.header("list-unsubscribe").expect("a link");
    let path = url.trim_matches(['<', '>']).split_once(&campaigns.app.address).expect("a link").1;
    assert!(path.starts_with("/unsubscribe/"), "{url}");
    let page = campaigns.app.get(path).header("accept-language", "de").gives(200);
    let page = String::from_utf8(page.body).expect("UTF-8");
    assert!(page.contains("<form method=\"post\">") && page.contains("Abbestellen"), "{page}");
    let second = campaigns.started(optional, "email");
    campaigns.until_status(&second, "finished");
    assert_eq!(campaigns.mail.unread().len(), 1, "the page changes nothing");
    let form = "application/x-www-form-urlencoded";
    for _ in 0..2 {
        campaigns.app.post(path).body(form, b"List-Unsubscribe=One-Click").gives(200);
    }
    let third = campaigns.started(optional, "email");
    campaigns.until_status(&third, "finished");
    let person = campaigns.until_person(&third, "r1", "skipped");
    assert_eq!(person["reason"], "restricted_channel");
    let of_mandatory = campaigns.started(mandatory, "email");
    campaigns.until_status(&of_mandatory, "finished");
    assert_eq!(campaigns.mail.unread().len(), 1);
    campaigns.app.post("/unsubscribe/AAAA").body(form, b"").refused(404, "not_found");
}

fn commands_control_campaigns_and_record_bounces(engine: Engine) {
    let store = store(engine, 1);
    let term = store.term("FREELANCER", &["--mandatory"]);
    let campaigns = Campaigns::start(&store);
    let id = campaigns.add(&at_once(term, "email"));
    let list = store.command(&["campaign", "list"]).expect_success();
    assert!(list.contains(&id) && list.contains("draft"), "{list}");
    store.command(&["campaign", "pause", &id]).failed(1, "draft");
    assert_eq!(store.command(&["campaign", "start", &id]).json()["status"], "running");
    let mail = campaigns.mail.next();
    campaigns.until_status(&id, "finished");
    let status = store.command(&["campaign", "status", &id]).json();
    assert_eq!(status["messages"][0]["outcome"], "accepted");
    let message = format!(
        "Content-Type: multipart/report; boundary=b\r\n\r\n{}",
        super::fixture::report(&mail.message_id(), "failed", "5.1.1")
    );
    let bounce = |message: &str| {
        use std::io::Write as _;
        let mut command = store.program();
        command.args(["notices", "bounce"]);
        command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        child.stdin.take().expect("a pipe").write_all(message.as_bytes()).expect("written");
        child.wait_with_output().expect("the program ends")
    };
    assert!(bounce(&message).status.success());
    campaigns.until_person(&id, "r1", "bounced");
    assert_eq!(bounce("Subject: hello\r\n\r\nhello").status.code(), Some(1));
}
