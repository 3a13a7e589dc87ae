//! Traces: what a collector receives, what it never receives, and that the server works without it.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::KeyValue;
use opentelemetry_proto::tonic::common::v1::any_value::Value::{IntValue, StringValue};
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message as _;
use serde_json::json;

use crate::admin::ADMIN;
use crate::app::{Start, TestApp};
use crate::integration::receiver::{Message, Receiver, Reply, WITHIN};
use crate::store::{Engine, TestStore};
use crate::wire::{SUBMIT, accept, applicant};

on_both!(traces_a_request_to_the_webhook_that_it_causes);

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER: &str = "00f067aa0ba902b7";
const SAMPLED: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const NOT_SAMPLED: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00";

/// The spans that a collector received.
struct Collector {
    receiver: Receiver,
    /// `http://127.0.0.1:PORT`.
    url: String,
    spans: Vec<Span>,
    resource: HashMap<String, String>,
    bytes: Vec<u8>,
}

impl Collector {
    fn start() -> Self {
        let receiver = Receiver::start(Reply::Status(200));
        let url = receiver.url.trim_end_matches("/hook").to_owned();
        Self { receiver, url, spans: Vec::new(), resource: HashMap::new(), bytes: Vec::new() }
    }

    fn take(&mut self, message: &Message) {
        assert_eq!(message.path(), "/v1/traces");
        assert_eq!(message.header("content-type"), "application/x-protobuf");
        let request =
            ExportTraceServiceRequest::decode(&*message.bytes).expect("a request of OTLP");
        for of_resource in request.resource_spans {
            let resource = of_resource.resource.expect("a resource");
            self.resource = attributes(&resource.attributes);
            for of_scope in of_resource.scope_spans {
                self.spans.extend(of_scope.spans);
            }
        }
        self.bytes.extend(&message.bytes);
    }

    /// Waits for the span with this name and returns it.
    #[track_caller]
    fn span(&mut self, name: &str) -> Span {
        let started = Instant::now();
        loop {
            if let Some(span) = self.spans.iter().find(|span| span.name == name) {
                return span.clone();
            }
            let names: Vec<_> = self.spans.iter().map(|span| span.name.clone()).collect();
            assert!(started.elapsed() < WITHIN, "no span {name} in {names:?}");
            let message = self.receiver.next();
            self.take(&message);
        }
    }
}

fn attributes(all: &[KeyValue]) -> HashMap<String, String> {
    let text = |attribute: &KeyValue| match attribute
        .value
        .as_ref()
        .and_then(|value| value.value.as_ref())
    {
        Some(StringValue(text)) => text.clone(),
        Some(IntValue(number)) => number.to_string(),
        other => panic!("{other:?}"),
    };
    all.iter().map(|attribute| (attribute.key.clone(), text(attribute))).collect()
}

/// Reads the metric of spans with this outcome.
fn counted(app: &TestApp, outcome: &str) -> u64 {
    let name = format!("musette_trace_spans_total{{outcome=\"{outcome}\"}} ");
    let metrics = app.metrics();
    let line = metrics.lines().find_map(|line| line.strip_prefix(&name));
    line.map_or(0, |value| value.parse().expect("a count"))
}

fn traces_a_request_to_the_webhook_that_it_causes(engine: Engine) {
    let store = TestStore::new(engine);
    store.command(&["user", "add", "--id", "a1", "--role", "admin"]).expect_success();
    store.command(&["user", "add", "--id", "r1", "--phone", "+15550100"]).expect_success();
    let admin = store.token("a1");
    let mut collector = Collector::start();
    let (hook, codes) = (Receiver::start(Reply::Status(204)), Receiver::start(Reply::Status(204)));
    let args = ["--webhook-allow", "127.0.0.0/8", "--code-delivery", &codes.url];
    let env = [("OTEL_EXPORTER_OTLP_ENDPOINT", &*collector.url)];
    let app =
        TestApp::serve_with(&Arc::new(store), Start { args: &args, env: &env, ..Start::default() });
    let body = json!({"url": hook.url, "types": ["consent.recorded"]});
    let added = app.post(&format!("{ADMIN}/webhooks")).token(&admin).json(&body).gives(201).json();
    let term = app.term("FREELANCER", &[]);
    let submit = app.post(SUBMIT).header("traceparent", SAMPLED).json(&applicant(&accept(&[term])));
    let submitted = submit.gives(201);

    let request = collector.span(&format!("POST {SUBMIT}"));
    let actual = attributes(&request.attributes);
    assert_eq!(
        (hex(&request.trace_id), hex(&request.parent_span_id)),
        (TRACE.into(), CALLER.into())
    );
    assert_eq!(actual["http.route"], SUBMIT);
    assert_eq!(actual["http.response.status_code"], "201");
    assert_eq!(actual["musette.request_id"], submitted.header("x-request-id"));
    assert_eq!(request.kind, 2, "a server's");
    let batch = collector.span("record a batch");
    assert_eq!(batch.parent_span_id, request.span_id);
    assert_eq!(attributes(&batch.attributes)["musette.submissions"], "1");
    let commit = collector.span("commit");
    assert_eq!((commit.trace_id, commit.parent_span_id), (request.trace_id.clone(), batch.span_id));
    let delivery = collector.span("deliver consent.recorded");
    assert_eq!(delivery.parent_span_id, request.span_id);
    assert_eq!(attributes(&delivery.attributes)["musette.webhook"], added["id"]);
    assert_eq!(
        hook.next().header("traceparent"),
        format!("00-{TRACE}-{}-01", hex(&delivery.span_id))
    );

    let ask = json!({"identifier": "+15550100"});
    app.post("/api/session/v1/codes").header("traceparent", SAMPLED).json(&ask).gives(202);
    let message = collector.span("send a message");
    assert_eq!(
        codes.next().header("traceparent"),
        format!("00-{TRACE}-{}-01", hex(&message.span_id))
    );
    // The flag service answers outside of the router. Its span is also named by the route.
    let evaluate = app.request("PUT", "/api/flags/v3/features/secret-plan?environment=x");
    evaluate.header("traceparent", SAMPLED).json(&json!({"userId": "rider-17"})).gives(401);
    let flags = collector.span("PUT /api/flags/v3/features/{flagKey}");
    assert_eq!((hex(&flags.trace_id), hex(&flags.parent_span_id)), (TRACE.into(), CALLER.into()));
    app.request("SUBMIT-MY-NAME", "/api/rooster/v3/terms/rider-17/consents?q=rider-17").send();
    let odd = collector.span("_OTHER /api/rooster/v3/terms/{userId}/consents");
    assert_ne!(hex(&odd.trace_id), TRACE, "it starts a new trace");

    assert_eq!(collector.resource["service.name"], "musette");
    assert_ne!(collector.resource["service.instance.id"], "");
    let bytes = String::from_utf8_lossy(&collector.bytes);
    for secret in
        [&*admin, "+15550100", "15550100", "rider-17", "secret-plan", "SUBMIT-MY-NAME", "127.0.0.1"]
    {
        assert!(!bytes.contains(secret), "the collector received {secret}");
    }
    assert!(counted(&app, "exported") >= 6);
    assert_eq!((counted(&app, "failed"), counted(&app, "dropped")), (0, 0));
}

#[test]
fn creates_no_span_for_an_unsampled_request() {
    let mut collector = Collector::start();
    let store = Arc::new(TestStore::new(Engine::Sqlite));
    let args = ["--otlp-endpoint", &collector.url, "--trace-share", "0"];
    let app = TestApp::serve_with(&store, Start { args: &args, ..Start::default() });
    app.get("/healthz").gives(200);
    app.get("/healthz").header("traceparent", NOT_SAMPLED).gives(200);
    app.get("/healthz").header("traceparent", "00-no").gives(200);
    app.get("/readyz").header("traceparent", SAMPLED).gives(200);
    collector.span("GET /readyz");
    assert_eq!(collector.spans.len(), 1, "{:?}", collector.spans);
}

#[test]
fn without_an_endpoint_forwards_no_trace_headers() {
    let store = TestStore::new(Engine::Sqlite);
    store.command(&["user", "add", "--id", "r1", "--phone", "+15550100"]).expect_success();
    let codes = Receiver::start(Reply::Status(204));
    let args = ["--code-delivery", &codes.url];
    let app = TestApp::serve_with(&Arc::new(store), Start { args: &args, ..Start::default() });
    let ask = json!({"identifier": "+15550100"});
    app.post("/api/session/v1/codes").header("traceparent", SAMPLED).json(&ask).gives(202);
    assert_eq!(codes.next().maybe_header("traceparent"), None);
}

#[test]
fn an_unavailable_collector_does_not_affect_requests() {
    let store = Arc::new(TestStore::new(Engine::Sqlite));
    // A port that was free a moment ago refuses connections.
    let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", free.local_addr().expect("an address"));
    drop(free);
    let args = ["--otlp-endpoint", &url];
    let mut app = TestApp::serve_with(&store, Start { args: &args, ..Start::default() });
    app.get("/healthz").gives(200);
    let started = Instant::now();
    while counted(&app, "failed") == 0 {
        assert!(started.elapsed() < WITHIN, "nothing is counted");
        std::thread::sleep(Duration::from_millis(50));
    }
    app.get("/healthz").gives(200);
    let log = std::fs::read_to_string(store.path("serve.log")).expect("a log");
    assert_eq!(log.matches("traces cannot be sent").count(), 1, "{log}");
    app.signal("TERM");
    assert!(app.wait_for_exit(WITHIN).success());
}

#[test]
fn an_unresponsive_collector_does_not_delay_the_shutdown() {
    let store = Arc::new(TestStore::new(Engine::Sqlite));
    let collector = Receiver::start(Reply::Never);
    let args = ["--otlp-endpoint", collector.url.trim_end_matches("/hook")];
    let mut app = TestApp::serve_with(&store, Start { args: &args, ..Start::default() });
    app.get("/healthz").gives(200);
    collector.next();
    app.get("/healthz").gives(200);
    app.signal("TERM");
    assert!(app.wait_for_exit(WITHIN).success());
}

fn hex(bytes: &[u8]) -> String {
    hex::encode(bytes)
}
