//! The page of one evaluation or restriction: every version with its record, who made it and when.

use musette_core::decisions::DecisionReceipt;
use musette_core::log::entry::DecisionKind;
use serde_json::Value;

use super::html::{code, document, escaped, isolated, link, put};
use super::{STYLE, existed, hash};
use crate::evidence::case::contents::{CaseObject, CaseRecord};
use crate::evidence::case::texts::{CaseTexts, texts};
use crate::evidence::certificate::{in_utc, texts as certificate_texts};

/// A member of a record, as the page shows it.
type Fact = (&'static str, String);

/// Renders the page. `receipts` are those of the records, in the same order.
pub fn object_page(
    kind: DecisionKind,
    object: &CaseObject,
    receipts: &[DecisionReceipt],
    locale: &str,
) -> String {
    let page = ObjectPage { texts: texts(locale) };
    let work = page.texts.work;
    let title = match kind {
        DecisionKind::Evaluation => work.evaluation,
        DecisionKind::Restriction => work.restriction,
    };
    let mut body = format!(
        "<main>\n<p><a href=\"../index.html\">{}</a></p>\n<h1>{} {}</h1>\n<p>{}</p>\n<p>{}</p>\n",
        escaped(page.texts.title),
        escaped(title),
        code(&object.id),
        escaped(work.objects_note),
        escaped(work.page_note),
    );
    let mut shown: Vec<Fact> = vec![(work.status, escaped(work.name(&object.status)))];
    if let Some(record) = newest_version(receipts) {
        shown.extend(page.facts(record));
    }
    page.list(&mut body, &shown);
    put(&mut body, format_args!("<h2>{}</h2>\n", escaped(work.all_versions)));
    body.push_str("<ol class=\"decisions\">\n");
    let mut before: Vec<Fact> = Vec::new();
    for (record, receipt) in object.records.iter().zip(receipts) {
        page.version(&mut body, record, receipt, &mut before);
    }
    body.push_str("</ol>\n</main>\n");
    let csp = format!("default-src 'none'; style-src 'sha256-{}'", hash(STYLE));
    document(page.texts, &csp, &format!("{title} · {}", object.id), STYLE, &body)
}

/// Returns the record of the last version. The record of a message has only the message.
fn newest_version(receipts: &[DecisionReceipt]) -> Option<&Value> {
    let is_version = |record: &&Value| record.get("reasons").is_some();
    receipts.iter().rev().map(|receipt| &receipt.record).find(is_version)
}

struct ObjectPage {
    texts: &'static CaseTexts,
}

impl ObjectPage {
    fn list(&self, out: &mut String, facts: &[Fact]) {
        out.push_str("<dl>\n");
        for (label, value) in facts {
            put(out, format_args!("<div><dt>{}</dt><dd>{value}</dd></div>\n", escaped(label)));
        }
        out.push_str("</dl>\n");
    }

    /// Shows a version with the members that differ from the version before.
    fn version(
        &self,
        out: &mut String,
        record: &CaseRecord,
        receipt: &DecisionReceipt,
        before: &mut Vec<Fact>,
    ) {
        let work = self.texts.work;
        let content = &receipt.record;
        let number = work.version.replace("{n}", &record.version.to_string());
        let from = record.from.as_deref().map_or("–", |from| work.name(from));
        put(
            out,
            format_args!(
                "<li>\n<h3>{} · {} → {}</h3>\n",
                escaped(&number),
                escaped(from),
                escaped(work.name(&record.to))
            ),
        );
        let mut facts = vec![
            (work.decided_by, self.decider(content)),
            (work.recorded, isolated(in_utc(&record.recorded_at))),
        ];
        if let Some(at) = content["at"].as_str().filter(|at| *at != record.recorded_at) {
            facts.insert(1, (work.decided_at, isolated(in_utc(at))));
        }
        let current = self.facts(content);
        let is_message = content.get("reasons").is_none();
        facts.extend(current.iter().filter(|fact| !before.contains(fact)).cloned());
        if let Some(message) = content["message"]["message"].as_str() {
            let from = work.name(content["message"]["from"].as_str().unwrap_or_default());
            facts.push((work.message, format!("{}: {}", escaped(from), prose(message))));
        }
        if !is_message {
            *before = current;
        }
        self.list(out, &facts);
        if let Some(existed) = record.existed_before.as_ref().and_then(existed) {
            let sentence = escaped(certificate_texts(self.texts.tag).existed_before);
            let sentence = existed.sentence(&sentence, |text| isolated(text));
            put(out, format_args!("<p>{sentence}</p>\n"));
        }
        let receipt = link(&format!("../{}", record.receipt), self.texts.receipt);
        put(out, format_args!("<p class=\"links\">{receipt}</p>\n</li>\n"));
    }

    fn decider(&self, record: &Value) -> String {
        let work = self.texts.work;
        let name = |member: &Value| member.as_str().map(|value| escaped(work.name(value)));
        let by = name(&record["by"]["kind"]).unwrap_or_default();
        let mut decider = match name(&record["by"]["role"]) {
            Some(role) => format!("{by} ({role})"),
            None => by,
        };
        if let Some(program) = program(&record["system"]) {
            decider = format!("{decider} · {program}");
        }
        decider
    }

    /// Returns the members of a record that a reader needs, in the order of the page.
    fn facts(&self, record: &Value) -> Vec<Fact> {
        let work = self.texts.work;
        let mut facts = Vec::new();
        self.add_work(record, &mut facts);
        self.add_content(record, &mut facts);
        for (label, member) in [
            (work.starts_at, &record["starts_at"]),
            (work.ends_at, &record["ends_at"]),
            (work.ended_at, &record["ended_at"]),
            (work.contest_until, &record["contest_until"]),
            (work.answer_due, &record["answer_due"]),
            (work.final_since, &record["finalised_at"]),
        ] {
            facts.extend(member.as_str().map(|at| (label, isolated(in_utc(at)))));
        }
        let lift = record["lift_message"].as_str();
        facts.extend(lift.map(|message| (work.message, prose(message))));
        let review = &record["review"];
        let request = review["message"].as_str();
        facts.extend(request.map(|message| (work.review_request, prose(message))));
        if let Some(answer) = review["answer"].as_str() {
            let outcome = work.name(review["outcome"].as_str().unwrap_or_default());
            let answer = format!("{}: {}", escaped(outcome), prose(answer));
            facts.push((work.review_answer, answer));
        }
        facts
    }

    fn add_work(&self, record: &Value, facts: &mut Vec<Fact>) {
        let work = self.texts.work;
        let subject = &record["subject"];
        facts.extend(subject["reference"].as_str().map(|name| (work.work, isolated(name))));
        let times = [&subject["starts_at"], &subject["ends_at"]];
        let times: Vec<String> =
            times.into_iter().filter_map(|at| Some(isolated(in_utc(at.as_str()?)))).collect();
        if !times.is_empty() {
            facts.push((work.planned, times.join(" – ")));
        }
        let market = record["market"].as_str().or(subject["market"].as_str());
        facts.extend(market.map(|market| (work.market, isolated(market))));
        for (label, figures) in [
            (work.figures, &record["figures"]),
            (work.rider_figures, &record["discussion"]["figures"]),
        ] {
            let figures = self.figures(figures);
            if !figures.is_empty() {
                facts.push((label, figures));
            }
        }
    }

    fn add_content(&self, record: &Value, facts: &mut Vec<Fact>) {
        let work = self.texts.work;
        if let Some(kind) = record["kind"].as_str() {
            facts.push((work.kind, escaped(work.name(kind))));
        }
        let reasons = record["reasons"].as_array().map(Vec::as_slice).unwrap_or_default();
        if !reasons.is_empty() {
            let reason = |reason: &Value| {
                let code = code(reason["code"].as_str().unwrap_or_default());
                format!("<p>{code}</p>{}", localized(&reason["text"]))
            };
            facts.push((work.reasons, reasons.iter().map(reason).collect()));
        }
        let statement = match &record["statement"] {
            Value::String(text) => prose(text),
            texts => localized(texts),
        };
        if !statement.is_empty() {
            facts.push((work.statement, statement));
        }
        facts.extend(program(&record["produced_by"]).map(|program| (work.program, program)));
        let contact = ["name", "email", "phone"].map(|name| record["contact"][name].as_str());
        let contact: Vec<String> = contact.into_iter().flatten().map(isolated).collect();
        if !contact.is_empty() {
            facts.push((work.contact, contact.join(" · ")));
        }
        let evaluations = record["evaluations"].as_array().map(Vec::as_slice).unwrap_or_default();
        if !evaluations.is_empty() {
            let ids = evaluations.iter().filter_map(Value::as_str).map(code);
            facts.push((work.evaluations, ids.collect::<Vec<_>>().join(" ")));
        }
    }

    fn figures(&self, figures: &Value) -> String {
        let work = self.texts.work;
        let named = [
            (work.planned_minutes, "planned_minutes"),
            (work.worked_minutes, "worked_minutes"),
            (work.late_by_seconds, "late_by_seconds"),
            (work.early_by_seconds, "early_by_seconds"),
            (work.overtime_seconds, "overtime_seconds"),
        ];
        let figure = |(label, name): (&str, &str)| {
            Some(format!("{}: {}", escaped(label), figures[name].as_i64()?))
        };
        named.into_iter().filter_map(figure).collect::<Vec<_>>().join(" · ")
    }
}

/// Returns name and version of an automated system.
fn program(system: &Value) -> Option<String> {
    let (name, version) = (system["name"].as_str()?, system["version"].as_str()?);
    Some(format!("{} {}", isolated(name), isolated(version)))
}

/// Shows a text in all its languages.
fn localized(texts: &Value) -> String {
    let text = |(locale, text): (&String, &Value)| {
        let text = text.as_str()?;
        let attributes = format!("lang=\"{}\" dir=\"auto\"", escaped(locale));
        Some(format!("<p {attributes}>{} ({})</p>", lines(text), escaped(locale)))
    };
    texts.as_object().map(|texts| texts.iter().filter_map(text).collect()).unwrap_or_default()
}

/// Shows a text that a person wrote.
fn prose(text: &str) -> String {
    format!("<span dir=\"auto\">{}</span>", lines(text))
}

fn lines(text: &str) -> String {
    isolated(text).replace('\n', "<br>")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn page(message: &str, locale: &str) -> String {
        let record = json!({
            "by": {"kind": "human", "role": "reviewer"}, "reasons": [], "message":
                {"from": "rider", "message": message},
        });
        let receipt = DecisionReceipt {
            entry: String::new(),
            proof: String::new(),
            salt: String::new(),
            record,
            subject_key: String::new(),
        };
        let object = CaseObject {
            id: "e1".into(),
            page: "evaluations/e1.html".into(),
            status: "IN_DISCUSSION".into(),
            records: vec![CaseRecord {
                receipt: "evaluations/e1/1.json".into(),
                version: 3,
                from: Some("EVALUATED".into()),
                to: "IN_DISCUSSION".into(),
                by: "rider".into(),
                recorded_at: "2026-11-21T09:30:00.123Z".into(),
                existed_before: None,
            }],
        };
        object_page(DecisionKind::Evaluation, &object, &[receipt], locale)
    }

    #[test]
    fn shows_hostile_text_as_text() {
        let page = page("<script>alert(1)</script>\nsecond \u{202e}line", "en");
        assert!(!page.contains("<script>alert"), "{page}");
        assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;<br>second"), "{page}");
        assert!(page.contains("<bdi>"), "a mark of direction ends with the text");
    }

    #[test]
    fn is_in_the_language_of_the_reader() {
        assert!(page("hello", "ar").contains("dir=\"rtl\""));
        assert!(page("hello", "de").contains("Fassung 3 · Bewertet → Im Gespräch"));
        assert!(page("hello", "en").contains("a person of the company (reviewer)"));
    }
}
