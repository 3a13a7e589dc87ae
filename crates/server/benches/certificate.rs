//! Measures the certificate of a receipt in each supported script. Prints a Markdown report.

use std::time::{Duration, Instant as Wall};

use musette::parts::{Content, certificate, texts};
use musette_core::instant::Instant;
use musette_core::log::checkpoint::Checkpoint;
use musette_core::log::entry::{Consent, Entry, Evidence, Method, Submission, UserType, V1};
use musette_core::log::hash::Hash;
use musette_core::log::key::Signer;
use musette_core::log::receipt::Receipt;
use musette_core::log::subject::SubjectKey;
use musette_core::terms::{Catalog, Term, TermKind, TermType, Variant};

fn seconds() -> Duration {
    let text = std::env::var("BENCH_SECONDS").unwrap_or_default();
    Duration::from_secs(text.parse().unwrap_or(5))
}

fn catalog() -> Catalog {
    let term = |id: i64, kind: &str, title: &str| Term {
        id,
        kind: TermType::parse(kind).expect("a type"),
        version: 1,
        term_kind: TermKind::Consent,
        mandatory: id == 1,
        display_order: id,
        effective_from: Instant::from_millis(0),
        grace_until: None,
        replaces: None,
        material: true,
        summary: None,
        label: None,
        published_at: Instant::from_millis(0),
        market: None,
        instead_of: None,
        variants: vec![Variant {
            locale: "en".into(),
            title: title.into(),
            sha256: format!("{id:064x}"),
            summary: None,
        }],
    };
    Catalog::new(vec![
        term(1, "FREELANCER", "Freelancer agreement"),
        term(2, "FREELANCER", "Privacy notice"),
        term(3, "MARKETING", "Marketing messages"),
    ])
}

fn receipt(signer: &Signer) -> Receipt {
    let key = SubjectKey::new([9; 32]);
    let consents = (1..=3).map(|id| Consent {
        accepted: true,
        consented_at: "2026-11-21T09:30:00.000Z".into(),
        evidence: Evidence::Presented,
        last_page: Some(3),
        method: Some(Method::AgreeAll),
        opened: Some(true),
        sha256: format!("{id:064x}"),
        terms_and_conditions_id: id,
    });
    let entry = Entry::Submission(Submission {
        amr: None,
        app_sha256: None,
        app: Some("rider 1.0.0".into()),
        consents: consents.collect(),
        continues: None,
        id: "0193-entry".into(),
        locale: None,
        market: None,
        recorded_at: "2026-11-21T09:30:00.125Z".into(),
        subject: key.subject("rider-1042"),
        user_type: UserType::Rider,
        v: V1,
    });
    let entry = entry.encode().expect("an entry");
    let root = Hash::leaf(entry.as_bytes());
    let head = Checkpoint { origin: "rides.example/4f1d".into(), size: 1, root };
    let note = head.sign(signer).expect("a note").to_string();
    Receipt::build("GzVq1Y0mD0e8v7uQXbq5mT3c2pWkZr4A".into(), 0, entry, Vec::new(), note, &key)
}

fn main() {
    // `cargo test --benches` only checks that it builds.
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    let signer = Signer::from_seed("rides.example/4f1d", &[7; 32]).expect("a signer");
    let (receipt, catalog) = (receipt(&signer), catalog());
    println!("\n### A certificate of three decisions\n");
    println!("| language | p50 ms | p99 ms | the first one ms | kB |\n|:--|--:|--:|--:|--:|");
    for language in ["en", "de", "ar", "th", "bn"] {
        let make = || {
            let vkey_of = |_: &str| Some(signer.verifier().to_string());
            let user = Some("rider-1042".to_owned());
            let content = Content::new(&receipt, &catalog, user, &vkey_of, "/log/key".into());
            certificate(&receipt, &content.expect("content"), texts(language)).expect("a PDF")
        };
        let started = Wall::now();
        let bytes = make().len();
        let first = started.elapsed();
        let mut times = Vec::new();
        let until = Wall::now() + seconds() / 5;
        while Wall::now() < until || times.len() < 10 {
            let started = Wall::now();
            std::hint::black_box(make());
            times.push(started.elapsed());
        }
        times.sort();
        let at = |part: usize| times[(times.len() - 1) * part / 100].as_secs_f64() * 1000.0;
        println!(
            "| {language} | {:.2} | {:.2} | {:.2} | {:.0} |",
            at(50),
            at(99),
            first.as_secs_f64() * 1000.0,
            bytes as f64 / 1000.0
        );
    }
}
