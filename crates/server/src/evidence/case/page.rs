//! `index.html`: the case for people, in one file that refers only to other files of the case. Its
//! text is readable without JavaScript. Its script verifies the evidence that it contains, and
//! other files of the case when the reader selects them, because a browser does not let a page from
//! disk read neighbouring files.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::contents::{CaseDecision, CaseLog, CaseTerm, Contents, ListedFile};
use super::texts::{CaseTexts, texts};
pub use super::writing::existed;
use crate::evidence::certificate::{Texts, in_utc, texts as certificate_texts};

mod html;
mod object;
mod witnesses;
mod work;

pub use object::object_page;

use html::{code, document, escaped, isolated, link, put};

const STYLE: &str = include_str!("page/page.css");
/// A classic script, because a page from disk cannot load modules.
const SCRIPT: &str = concat!(
    "\"use strict\";\n",
    include_str!("page/evidence.js"),
    include_str!("page/signatures.js"),
    include_str!("page/work.js"),
    include_str!("page/archive.js"),
    include_str!("page/witnesses.js"),
    include_str!("page/page.js"),
);

/// The data of the script: the text files of the case, the files in the manifest, and messages.
#[derive(Serialize)]
struct ScriptData<'a> {
    files: &'a BTreeMap<String, String>,
    listed: &'a [ListedFile],
    texts: &'a CaseTexts,
}

/// Renders the page. `listed` are all files except the page and the manifest.
pub fn page(
    contents: &Contents,
    files: &BTreeMap<String, String>,
    listed: &[ListedFile],
) -> String {
    let texts = texts(&contents.locale);
    let page = Page { contents, texts, certificate: certificate_texts(texts.tag) };
    let data = serde_json::to_string(&ScriptData { files, listed, texts }).unwrap_or_default();
    // Escaped, so that the data cannot end the script element.
    let data = data.replace('<', "\\u003c");
    let csp = format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; connect-src 'self'; base-uri 'none'; form-action 'none'",
        hash(SCRIPT),
        hash(STYLE)
    );
    let body = format!(
        "<main>\n{}</main>\n<script type=\"application/json\" id=\"case\">{data}</script>\n<script>{SCRIPT}</script>\n",
        page.body(),
    );
    let title = format!("{} · {}", texts.title, contents.person.user_id);
    document(texts, &csp, &title, STYLE, &body)
}

fn hash(text: &str) -> String {
    STANDARD.encode(Sha256::digest(text))
}

struct Page<'a> {
    contents: &'a Contents,
    texts: &'a CaseTexts,
    /// The texts of the certificate, which describe decisions.
    certificate: &'a Texts,
}

impl Page<'_> {
    fn body(&self) -> String {
        let mut out = String::new();
        self.head(&mut out);
        self.check(&mut out);
        self.decisions(&mut out);
        self.documents(&mut out);
        self.claims(&mut out);
        self.work(&mut out);
        self.notices(&mut out);
        self.views(&mut out);
        self.log(&mut out);
        self.list(&mut out, self.texts.proves, self.texts.proven);
        self.list(&mut out, self.texts.proves_not, self.texts.not_proven);
        let command = code("musette case verify FILE.zip --key keys.txt");
        let how = escaped(self.texts.how_text).replace("{command}", &command);
        put(&mut out, format_args!("<h2>{}</h2>\n<p>{how}</p>\n", escaped(self.texts.how)));
        out
    }

    fn head(&self, out: &mut String) {
        let Self { contents, texts, .. } = self;
        let person = &contents.person;
        put(out, format_args!("<header>\n<h1>{}</h1>\n", escaped(texts.title)));
        put(out, format_args!("<p>{}</p>\n<dl>\n", escaped(texts.lead)));
        self.fact(out, texts.user_id, &code(&person.user_id));
        for (label, value) in
            [(texts.name, &person.name), (texts.email, &person.email), (texts.phone, &person.phone)]
        {
            if let Some(value) = value {
                self.fact(out, label, &isolated(value));
            }
        }
        out.push_str("</dl>\n");
        if let Some(as_of) = &contents.as_of {
            let as_of = escaped(texts.as_of).replace("{t}", &isolated(in_utc(as_of)));
            put(out, format_args!("<p><strong>{as_of}</strong></p>\n"));
        }
        out.push_str("</header>\n");
    }

    fn fact(&self, out: &mut String, label: &str, value: &str) {
        put(out, format_args!("<div><dt>{}</dt><dd>{value}</dd></div>\n", escaped(label)));
    }

    /// Renders the section that the script fills in. Until then it says that nothing was verified.
    fn check(&self, out: &mut String) {
        let texts = self.texts;
        put(out, format_args!("<section id=\"check\">\n<h2>{}</h2>\n", escaped(texts.genuine)));
        put(
            out,
            format_args!(
                "<div id=\"evidence\" role=\"status\" data-state=\"unchecked\"><p>{}</p></div>\n",
                escaped(texts.unchecked)
            ),
        );
        let (files, unchecked) = (escaped(texts.files), escaped(texts.files_unchecked));
        put(
            out,
            format_args!(
                "<h3>{files}</h3>\n<div id=\"files\" role=\"status\" data-state=\"unchecked\"><p>{unchecked}</p></div>\n"
            ),
        );
        put(
            out,
            format_args!(
                "<p class=\"choose\"><label>{} <input type=\"file\" id=\"zip\" accept=\".zip,application/zip\"></label> ",
                escaped(texts.choose_zip)
            ),
        );
        put(
            out,
            format_args!(
                "<label>{} <input type=\"file\" id=\"folder\" webkitdirectory multiple></label></p>\n",
                escaped(texts.choose_folder)
            ),
        );
        witnesses::put_chooser(out, texts);
        out.push_str("</section>\n");
    }

    fn decisions(&self, out: &mut String) {
        put(out, format_args!("<h2>{}</h2>\n", escaped(self.texts.decisions)));
        if self.contents.decisions.is_empty() {
            put(out, format_args!("<p>{}</p>\n", escaped(self.texts.none_decided)));
            return;
        }
        out.push_str("<ol class=\"decisions\">\n");
        for decision in &self.contents.decisions {
            self.decision(out, decision);
        }
        out.push_str("</ol>\n");
    }

    fn find_term(&self, id: i64) -> Option<&CaseTerm> {
        self.contents.terms.iter().find(|term| term.id == id)
    }

    fn decision(&self, out: &mut String, decision: &CaseDecision) {
        let Self { contents, texts, certificate } = self;
        let term = self.find_term(decision.terms_and_conditions_id);
        let document =
            contents.documents.iter().find(|document| document.sha256 == decision.sha256);
        let title = document.map(|document| document.title.as_str());
        let title = title.filter(|title| !title.is_empty());
        let title = title.or(term.map(|term| term.title.as_str())).unwrap_or("–");
        let (verdict, class) = if decision.accepted {
            (certificate.accepted, "yes")
        } else {
            (certificate.refused, "no")
        };
        let latest = if decision.latest { texts.latest } else { texts.superseded };
        put(
            out,
            format_args!(
                "<li class=\"{class}\">\n<p><strong>{}</strong> {}</p>\n",
                escaped(verdict),
                isolated(title)
            ),
        );
        let mut facts = Vec::new();
        if let Some(term) = term {
            facts.push(isolated(&term.kind));
            facts.push(certificate.version.replace("{n}", &isolated(term.version_name())));
            facts.push(escaped(if term.mandatory {
                certificate.mandatory
            } else {
                certificate.optional
            }));
        }
        facts.extend(decision.language.as_ref().map(isolated));
        facts.push(escaped(latest));
        facts.push(
            escaped(certificate.on_device)
                .replace("{t}", &isolated(in_utc(&decision.consented_at))),
        );
        facts.push(format!(
            "{} {}",
            escaped(certificate.recorded),
            isolated(in_utc(&decision.recorded_at))
        ));
        facts.extend(self.claims_of_the_device(decision));
        facts.extend(self.existed(decision.existed_before.as_ref()));
        put(out, format_args!("<p>{}</p>\n<p class=\"links\">", facts.join(" · ")));
        for (path, label) in [
            (format!("documents/{}.pdf", decision.sha256), texts.document),
            (decision.receipt.clone(), texts.receipt),
            (decision.certificate.clone(), texts.certificate),
            (decision.entry.clone(), texts.entry),
        ] {
            put(out, format_args!("{} ", link(&path, label)));
        }
        out.push_str("</p>\n</li>\n");
    }

    /// Describes what the device sent, in the texts of the certificate.
    fn claims_of_the_device(&self, decision: &CaseDecision) -> Vec<String> {
        let Self { texts, certificate, .. } = self;
        let mut claims = Vec::new();
        match decision.method.as_deref() {
            Some("agree_all") => claims.push(certificate.agree_all.to_owned()),
            Some(_) => claims.push(certificate.tick.to_owned()),
            None => {}
        }
        match (decision.opened, decision.last_page) {
            (Some(true), Some(page)) => {
                claims.push(certificate.read_up_to.replace("{n}", &page.to_string()));
            }
            (Some(true), None) => claims.push(certificate.opened.to_owned()),
            _ => {}
        }
        match decision.evidence.as_str() {
            "inferred" => claims.push(certificate.inferred.to_owned()),
            "imported" => claims.push(certificate.imported.to_owned()),
            _ => {}
        }
        let signed_in = decision.amr.as_ref().map(|amr| texts.signed_in_by(amr));
        claims.extend(signed_in);
        if decision.user_type == "APPLICANT" {
            claims.push(texts.as_applicant.to_owned());
        }
        claims.retain(|claim| !claim.is_empty());
        claims.iter().map(|claim| escaped(claim)).collect()
    }

    fn documents(&self, out: &mut String) {
        if self.contents.documents.is_empty() {
            return;
        }
        put(out, format_args!("<h2>{}</h2>\n<ul>\n", escaped(self.texts.documents)));
        for document in &self.contents.documents {
            let language = document.language.as_deref().unwrap_or("–");
            let title = if document.title.is_empty() { "–" } else { &document.title };
            put(
                out,
                format_args!(
                    "<li><bdi>{}</bdi> · {}<br>SHA-256 {}</li>\n",
                    link(&document.path, title),
                    isolated(language),
                    code(&document.sha256)
                ),
            );
        }
        out.push_str("</ul>\n");
    }

    fn claims(&self, out: &mut String) {
        if self.contents.claims.is_empty() {
            return;
        }
        put(out, format_args!("<h2>{}</h2>\n<ul>\n", escaped(self.texts.claims)));
        for claim in &self.contents.claims {
            let sentence = escaped(self.texts.claimed)
                .replace("{r}", &code(&claim.receipt_id))
                .replace("{t}", &isolated(in_utc(&claim.recorded_at)));
            let entry = link(&claim.entry, self.texts.entry);
            put(out, format_args!("<li>{sentence} {entry}</li>\n"));
        }
        out.push_str("</ul>\n");
    }

    fn notices(&self, out: &mut String) {
        let Self { contents, texts, certificate } = self;
        if contents.notices.is_empty() {
            return;
        }
        let (heading, note) = (escaped(texts.notices), escaped(texts.notices_note));
        put(out, format_args!("<h2>{heading}</h2>\n<p>{note}</p>\n<ul>\n"));
        for notice in &contents.notices {
            let documents = &contents.documents;
            let document = documents.iter().find(|document| document.sha256 == notice.sha256);
            let title = document.map_or("–", |document| document.title.as_str());
            let term = self.find_term(notice.terms_and_conditions_id);
            let version = |term: &CaseTerm| isolated(term.version_name());
            let mut facts = vec![isolated(title)];
            facts.extend(term.map(|term| certificate.version.replace("{n}", &version(term))));
            facts.push(
                escaped(texts.opened_at).replace("{t}", &isolated(in_utc(&notice.opened_at))),
            );
            let recorded = isolated(in_utc(&notice.recorded_at));
            facts.push(format!("{} {recorded}", escaped(certificate.recorded)));
            facts.push(link(&notice.entry, texts.entry));
            put(out, format_args!("<li>{}</li>\n", facts.join(" · ")));
        }
        out.push_str("</ul>\n");
    }

    fn views(&self, out: &mut String) {
        let Self { contents, texts, certificate } = self;
        if contents.shown.is_empty() {
            return;
        }
        put(
            out,
            format_args!(
                "<h2>{}</h2>\n<p>{}</p>\n<ul>\n",
                escaped(texts.shown),
                escaped(texts.shown_note)
            ),
        );
        for view in &contents.shown {
            let at = |text: &str, at: &str| escaped(text).replace("{t}", &isolated(in_utc(at)));
            let version = certificate.version.replace("{n}", &isolated(&view.version));
            let mut facts =
                vec![isolated(&view.title), version, at(texts.shown_at, &view.shown_at)];
            facts.extend(view.opened_at.as_ref().map(|opened| at(texts.opened_at, opened)));
            put(out, format_args!("<li>{}</li>\n", facts.join(" · ")));
        }
        out.push_str("</ul>\n");
    }

    fn log(&self, out: &mut String) {
        let Self { contents, texts, certificate } = self;
        if contents.logs.is_empty() {
            return;
        }
        put(out, format_args!("<h2>{}</h2>\n", escaped(texts.log)));
        for log in &contents.logs {
            out.push_str("<dl>\n");
            let size = texts.size.replace("{n}", &log.size.to_string());
            let head = format!("{} · {}", code(&log.origin), link(&log.checkpoint, &size));
            self.fact(out, certificate.log, &head);
            self.fact(out, certificate.root, &code(&log.root));
            self.fact(out, certificate.key, &code(&log.vkey));
            out.push_str("</dl>\n");
            self.timestamps(out, log);
        }
    }

    fn timestamps(&self, out: &mut String, log: &CaseLog) {
        if log.timestamps.is_empty() {
            return;
        }
        put(out, format_args!("<p>{}</p>\n<ul>\n", escaped(self.texts.time_stamps)));
        for stamp in &log.timestamps {
            let size = self.texts.size.replace("{n}", &stamp.size.to_string());
            let token = link(&stamp.token, self.certificate.time_stamp);
            let checkpoint = link(&stamp.checkpoint, &size);
            let (at, authority) = (isolated(in_utc(&stamp.at)), isolated(&stamp.authority));
            put(out, format_args!("<li>{token} · {checkpoint} · {at} · {authority}</li>\n"));
        }
        out.push_str("</ul>\n");
    }

    fn list(&self, out: &mut String, heading: &str, items: &[&str]) {
        put(out, format_args!("<h2>{}</h2>\n<ul>\n", escaped(heading)));
        for item in items {
            put(out, format_args!("<li>{}</li>\n", escaped(item)));
        }
        out.push_str("</ul>\n");
    }
}
