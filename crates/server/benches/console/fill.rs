//! Creates a store of the given size as a backup that the program restores, which is its fastest
//! way to write many rows.

use std::fmt;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use musette::parts::random::sha256_hex;
use musette::parts::series;
use serde_json::{Value, json};

use super::flags::{self, EXPERIMENTS};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// 2025-10-18.
const BEGINNING: i64 = 1_760_745_600_000;
const DAYS: i64 = 395;
const TERMS: i64 = 12;
/// The terms of each submission: a person makes ten decisions.
const SUBMISSIONS: [&[i64]; 3] = [&[1, 2, 3, 4, 5, 6], &[9, 10], &[9, 7]];
const NAMES: [&str; 8] = [
    "Noor Quill",
    "Ada Fenn",
    "Ines Marlow",
    "Tomas Reed",
    "Lena Ash",
    "Omar Vale",
    "Yuki Thorn",
    "Sol Hart",
];

pub struct Size {
    people: u64,
    audit: u64,
    events: u64,
}

impl Size {
    pub const fn of(people: u64) -> Self {
        Self { people, audit: people * 3, events: people }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} people, {} decisions on {TERMS} terms, {} audit entries, {} exposures and as many values of a metric",
            self.people,
            self.people * 10,
            self.audit,
            self.events
        )
    }
}

/// The lines of a backup.
struct Lines {
    out: GzEncoder<BufWriter<File>>,
    rows: u64,
}

impl Lines {
    fn line(&mut self, value: &Value) {
        serde_json::to_writer(&mut self.out, value).expect("written");
        self.out.write_all(b"\n").expect("written");
    }

    fn table(&mut self, name: &str, rows: impl Iterator<Item = Value>) {
        self.line(&json!({"table": name}));
        for row in rows {
            self.line(&row);
            self.rows += 1;
        }
    }
}

/// Returns a pseudo-random number that is the same in every run.
fn chance(i: u64, of: u64) -> u64 {
    (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20) % of
}

fn uuid(kind: u64, i: u64) -> String {
    format!("{:08x}-0000-7000-8000-{kind:02x}{i:010x}", 0x0190_0000 + i / 1000)
}

fn subject(i: u64) -> String {
    uuid(1, i)
}

fn document(term: i64) -> String {
    sha256_hex(format!("term {term}").as_bytes())
}

/// Returns a time; times are in the order of the decisions.
fn at(i: u64, of: u64) -> i64 {
    BEGINNING + (u128::from(i) * (DAYS * DAY_MS) as u128 / u128::from(of)) as i64
}

pub fn write(file: &Path, size: &Size) {
    let out = BufWriter::new(File::create(file).expect("a file"));
    let mut lines = Lines { out: GzEncoder::new(out, Compression::fast()), rows: 0 };
    lines.line(&json!({"format": "musette-backup-1"}));
    lines.table("counters", std::iter::once(json!(["term", TERMS])));
    let submissions = size.people * SUBMISSIONS.len() as u64;
    lines.table("submission_head", std::iter::once(json!([1, submissions])));
    lines.table("sticky_head", std::iter::once(json!([1, 0])));
    terms(&mut lines);
    people(&mut lines, size);
    decisions(&mut lines, size);
    audit(&mut lines, size);
    events(&mut lines, size);
    environment(&mut lines);
    let rows = lines.rows;
    lines.line(&json!({"end": rows}));
    lines.out.finish().expect("finished").flush().expect("flushed");
}

fn terms(lines: &mut Lines) {
    let ids = || 1..=TERMS;
    lines.table("documents", ids().map(|id| json!([document(id), 1, "255044462d"])));
    let kind = |id| if id > 8 { "MARKETING" } else { "FREELANCER" };
    // Terms 7 and 8 are newer versions of 1 and 2: one corrects a typo, the other needs a new
    // acceptance.
    let replaces = |id| if id == 7 || id == 8 { Some(id - 6) } else { None };
    lines.table(
        "terms",
        ids().map(|id| {
            let version = 1 + i64::from(replaces(id).is_some());
            json!([
                id,
                kind(id),
                version,
                id <= 8,
                id,
                BEGINNING,
                null,
                replaces(id),
                id != 7,
                null,
                BEGINNING
            ])
        }),
    );
    lines.table(
        "term_variants",
        ids().map(|id| json!([id, 0, "en", format!("Terms no. {id}"), document(id)])),
    );
    let body = r#"{"type":"FREELANCER","mandatory":true,"minor":false,"variants":[{"locale":"en","title":"A draft"}]}"#;
    lines.table("term_drafts", (0..300).map(|i| json!([uuid(2, i), 1, body, BEGINNING, null])));
}

fn people(lines: &mut Lines, size: &Size) {
    let all = || 0..size.people;
    // The additional person is the admin.
    lines.table("subjects", (0..=size.people).map(|i| json!([subject(i), format!("{i:064x}")])));
    // One in twenty is an applicant without an ID.
    let riders = || all().filter(|i| i % 20 != 0);
    lines.table(
        "users",
        std::iter::once(json!([
            "admin",
            subject(size.people),
            "Ada Fenn",
            "ada@larkspur.example",
            null,
            null,
            BEGINNING
        ]))
        .chain(riders().map(|i| {
            let name = NAMES[chance(i, 8) as usize];
            let email = format!("p{i}@larkspur.example");
            json!([
                format!("p{i}"),
                subject(i),
                format!("{name} {i}"),
                email,
                format!("+1555{i:07}"),
                null,
                BEGINNING
            ])
        })),
    );
    let role = |i: u64| if i % 5000 == 1 { "operator" } else { "rider" };
    lines.table(
        "user_roles",
        std::iter::once(json!(["admin", "admin"]))
            .chain(riders().map(|i| json!([format!("p{i}"), role(i)]))),
    );
}

fn decisions(lines: &mut Lines, size: &Size) {
    let all = || {
        (0..size.people * 3)
            .map(|seq| (seq, seq % size.people, SUBMISSIONS[(seq / size.people) as usize]))
    };
    let of = size.people * 3;
    lines.table(
        "submissions",
        all().map(|(seq, person, _)| {
            let kind = if person % 20 == 0 { "APPLICANT" } else { "RIDER" };
            let who = subject(person);
            json!([seq, uuid(3, seq), who, who, kind, at(seq, of), "en", null])
        }),
    );
    lines.table(
        "consents",
        all().flat_map(|(seq, person, terms)| {
            terms.iter().enumerate().map(move |(position, term)| {
                let accepted = *term < 9 || chance(seq, 3) > 0;
                let when = at(seq, of);
                let text = "2025-11-01T09:30:00.000Z";
                json!([
                    seq,
                    position,
                    subject(person),
                    term,
                    accepted,
                    when,
                    text,
                    document(*term),
                    "presented",
                    "tick",
                    chance(seq, 2) == 0,
                    null
                ])
            })
        }),
    );
    let shown = (0..size.people).filter(|i| i % 20 != 0);
    lines.table("term_views", shown.map(|i| json!([subject(i), 9, BEGINNING, null])));
}

fn audit(lines: &mut Lines, size: &Size) {
    let events = ["signed_in", "signed_out", "code_sent", "refresh_token_reused"];
    lines.table(
        "audit",
        (0..size.audit).map(|i| {
            let event = events[chance(i, 4) as usize];
            let who = subject(chance(i, size.people));
            json!([uuid(4, i), at(i, size.audit), event, who, null, "code", null])
        }),
    );
}

fn events(lines: &mut Lines, size: &Size) {
    let arm = |test: usize, arm: &str| {
        series("production", "experiment", &format!("test-{test}"), 1, arm)
    };
    let tests = (0..EXPERIMENTS).flat_map(|test| ["on", "off"].map(|name| arm(test, name)));
    let groups =
        ["HELD_OUT", "COMPARISON"].map(|arm| series("production", "holdout", "quarter", 0, arm));
    let metrics = (0..300).map(|i| series("production", "metric", &format!("metric-{i}"), 0, ""));
    let orders = series("production", "metric", "orders", 0, "");
    let order_id = orders.id;
    let all = tests.chain(groups.clone()).chain(metrics).chain(std::iter::once(orders));
    lines.table(
        "series",
        all.map(|row| json!([row.id, row.environment, row.kind, row.name, row.phase, row.arm])),
    );
    // Most of them are in one experiment, which is the slowest to count.
    let series_of = |i: u64| match i % 10 {
        0 => groups[chance(i, 2) as usize].id,
        1 => arm(chance(i, EXPERIMENTS as u64) as usize, "on").id,
        _ => arm(0, if chance(i, 2) == 0 { "on" } else { "off" }).id,
    };
    let row = |kind: u64, i: u64| (format!("{kind:016x}{i:016x}"), format!("{i:032x}"));
    lines.table(
        "exposures",
        (0..size.events).map(|i| {
            let ((id, unit), when) = (row(1, i), at(i, size.events));
            json!([id, series_of(i), unit, when, when / DAY_MS])
        }),
    );
    lines.table(
        "metric_values",
        (0..size.events).map(|i| {
            let ((id, unit), when) = (row(2, i), at(i, size.events) + 1000);
            json!([id, order_id, unit, chance(i, 50) as f64, when, when / DAY_MS])
        }),
    );
}

fn environment(lines: &mut Lines) {
    lines.table("flag_environments", std::iter::once(json!(["production", 0, BEGINNING, null])));
    let key = |i: u64| {
        json!([
            uuid(5, i),
            "production",
            "client",
            false,
            null,
            format!("{i:064x}"),
            BEGINNING,
            null,
            null
        ])
    };
    lines.table("flag_keys", (0..300).map(key));
    let planned = flags::document("a team to come").to_string();
    let change = |i: u64| {
        json!([
            uuid(6, i),
            "production",
            BEGINNING,
            0,
            planned,
            null,
            "later",
            BEGINNING,
            "cancelled",
            BEGINNING,
            null,
            null
        ])
    };
    lines.table("flag_changes", (0..300).map(change));
}
