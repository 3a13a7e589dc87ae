//! The backend of docs/integration.md: `tools/integration/run` compares the two, and runs it.

use std::collections::HashMap;
use std::env::var;
use std::sync::{Arc, Mutex};
use std::{thread, time::Duration};

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::{Router, routing::post};
use sha2::{Digest, Sha256};
use standardwebhooks::Webhook;

#[derive(Default)]
struct Gate {
    may_work: HashMap<String, bool>,
    cursor: String,
    is_whole: bool,
}

fn read_gate(gate: &Mutex<Gate>, url: &str, key: &str) -> Result<(), Box<dyn std::error::Error>> {
    let (after, wait) = {
        let gate = gate.lock().expect("no panic");
        (gate.cursor.clone(), if gate.is_whole { 30 } else { 0 })
    };
    let mut request = ureq::get(format!("{url}/api/admin/v1/gate")).query("wait", wait.to_string());
    if !after.is_empty() {
        request = request.query("after", after);
    }
    let page = match request.header("authorization", format!("Bearer {key}")).call() {
        Ok(mut answer) => answer.body_mut().read_to_string()?,
        Err(ureq::Error::StatusCode(410)) => {
            *gate.lock().expect("no panic") = Gate::default();
            return Ok(());
        }
        Err(error) => return Err(error.into()),
    };
    let page: serde_json::Value = serde_json::from_str(&page)?;
    let items = page["items"].as_array().ok_or("no items")?;
    let mut gate = gate.lock().expect("no panic");
    for item in items {
        let id = item["user_id"].as_str().unwrap_or_default();
        if let Some(erased) = item["user_id_sha256"].as_str() {
            gate.may_work.retain(|id, _| hex::encode(Sha256::digest(id)) != erased);
        } else if item["left"] == true {
            gate.may_work.remove(id);
        } else {
            gate.may_work.insert(id.to_owned(), item["may_work"] == true);
        }
    }
    gate.cursor = page["cursor"].as_str().ok_or("no cursor")?.to_owned();
    gate.is_whole |= items.is_empty();
    Ok(())
}

async fn start(State(gate): State<Arc<Mutex<Gate>>>, Path(rider): Path<String>) -> StatusCode {
    let gate = gate.lock().expect("no panic");
    match gate.may_work.get(&rider) {
        _ if !gate.is_whole => StatusCode::SERVICE_UNAVAILABLE,
        Some(true) => StatusCode::CREATED,
        _ => StatusCode::PRECONDITION_REQUIRED,
    }
}

async fn receive(webhook: Arc<Webhook>, headers: HeaderMap, body: Bytes) -> StatusCode {
    if webhook.verify(&body, &headers).is_err() {
        return StatusCode::BAD_REQUEST;
    }
    let event: serde_json::Value = serde_json::from_slice(&body).unwrap_or_default();
    println!("{} {}", event["type"].as_str().unwrap_or(""), event["id"].as_str().unwrap_or(""));
    StatusCode::NO_CONTENT
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (url, key) = (var("MUSETTE_URL")?, var("MUSETTE_KEY")?);
    let webhook = Arc::new(Webhook::new(&var("WEBHOOK_SECRET")?)?);
    let gate = Arc::new(Mutex::new(Gate::default()));
    let followed = Arc::clone(&gate);
    thread::spawn(move || {
        loop {
            if let Err(error) = read_gate(&followed, &url, &key) {
                eprintln!("{error}");
                thread::sleep(Duration::from_secs(1));
            }
        }
    });
    let app = Router::new()
        .route("/shifts/{rider}", post(start))
        .route("/webhooks/musette", post(move |h, b| receive(Arc::clone(&webhook), h, b)))
        .with_state(gate);
    let address = format!("127.0.0.1:{}", var("PORT")?);
    axum::serve(tokio::net::TcpListener::bind(address).await?, app).await?;
    Ok(())
}
