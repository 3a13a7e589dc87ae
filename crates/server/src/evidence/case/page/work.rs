//! The sections of `index.html` about evaluations, restrictions and messages of campaigns.

use super::html::{code, escaped, isolated, isolated_text, link, put};
use super::{Page, existed};
use crate::evidence::case::contents::{CaseExistedBefore, CaseMessage, CaseObject};
use crate::evidence::certificate::in_utc;

impl Page<'_> {
    pub(super) fn work(&self, out: &mut String) {
        let (contents, work) = (self.contents, self.texts.work);
        self.objects(out, work.evaluations, &contents.evaluations);
        self.objects(out, work.restrictions, &contents.restrictions);
        self.messages(out);
    }

    fn objects(&self, out: &mut String, heading: &str, objects: &[CaseObject]) {
        let work = self.texts.work;
        if objects.is_empty() {
            return;
        }
        let (heading, note) = (escaped(heading), escaped(work.objects_note));
        put(out, format_args!("<h2>{heading}</h2>\n<p>{note}</p>\n<ul>\n"));
        for object in objects {
            let mut facts = vec![link(&object.page, &object.id)];
            facts.push(escaped(work.name(&object.status)));
            if let Some(last) = object.records.last() {
                facts.push(escaped(&work.version.replace("{n}", &last.version.to_string())));
                let recorded = isolated(in_utc(&last.recorded_at));
                facts.push(format!("{} {recorded}", escaped(self.certificate.recorded)));
                facts.extend(self.existed(last.existed_before.as_ref()));
            }
            let receipts = object.records.iter().zip(1..);
            facts.extend(receipts.map(|(record, number)| {
                link(&record.receipt, &format!("{} {number}", self.texts.receipt))
            }));
            put(out, format_args!("<li>{}</li>\n", facts.join(" · ")));
        }
        out.push_str("</ul>\n");
    }

    pub(super) fn existed(&self, stamp: Option<&CaseExistedBefore>) -> Option<String> {
        let existed = stamp.and_then(existed)?;
        Some(existed.sentence(&escaped(self.certificate.existed_before), isolated_text))
    }

    fn messages(&self, out: &mut String) {
        let work = self.texts.work;
        if self.contents.messages.is_empty() {
            return;
        }
        let (heading, note) = (escaped(work.messages), escaped(work.messages_note));
        put(out, format_args!("<h2>{heading}</h2>\n<p>{note}</p>\n<ul>\n"));
        for message in &self.contents.messages {
            put(
                out,
                format_args!(
                    "<li>{}<br>SHA-256 {}</li>\n",
                    self.message(message).join(" · "),
                    code(&message.sha256)
                ),
            );
        }
        out.push_str("</ul>\n");
    }

    fn message(&self, message: &CaseMessage) -> Vec<String> {
        let work = self.texts.work;
        let title = if message.title.is_empty() { "–" } else { &message.title };
        let mut facts = vec![
            isolated(title),
            escaped(work.name(&message.channel)),
            isolated(&message.locale),
            escaped(work.sent).replace("{t}", &isolated(in_utc(&message.sent_at))),
        ];
        if let Some(outcome) = &message.outcome {
            let outcome = escaped(work.name(outcome));
            let status = message.status.as_ref();
            facts.push(match status.filter(|_| message.outcome.as_deref() != Some("accepted")) {
                Some(status) => format!("{outcome} {}", isolated(status)),
                None => outcome,
            });
        }
        if message.repeated {
            facts.push(escaped(work.repeated));
        }
        let recorded = isolated(in_utc(&message.recorded_at));
        facts.push(format!("{} {recorded}", escaped(self.certificate.recorded)));
        facts.extend(self.existed(message.existed_before.as_ref()));
        facts.push(link(&message.proof, work.proof));
        facts
    }
}
