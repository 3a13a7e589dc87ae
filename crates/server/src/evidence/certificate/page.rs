//! The layout of the page, from the top down.

use musette_core::log::entry::{Evidence, Method};
use musette_core::log::receipt::Receipt;
use qrcodegen::{QrCode, QrCodeEcc};

use super::content::{Content, NotACertificate, Titled, in_utc};
use super::faces::Weight;
use super::sheet::{
    ACCENT, BAD, Colour, Column, GOOD, INK, MARGIN, MUTED, RULE, Sheet, TINT, WIDTH,
};
use super::texts::Texts;
use super::writing::Style;

const TEXT: f32 = 9.4;
const SMALL: f32 = 8.2;
const QR_SIDE: f32 = 92.0;
const COMMAND: &str = "musette receipt verify receipt.json --key key.txt";
const INNER_WIDTH: f32 = WIDTH - 2.0 * MARGIN;
/// The start of the values next to their labels.
const VALUES_START: f32 = MARGIN + 118.0;
/// The start of the text of a decision next to its sign.
const BESIDE_SIGN: f32 = MARGIN + 32.0;
const SIGN_SIDE: f32 = 11.0;
/// The width for "accepted" or "not accepted" in the longest language.
const VERDICT_WIDTH: f32 = 120.0;
/// With at least this many decisions, they are set closer together.
const CLOSE_DECISIONS_MIN: usize = 5;

pub fn set(receipt: &Receipt, content: &Content, texts: &Texts) -> Result<Sheet, NotACertificate> {
    let mut sheet = Sheet::new(texts.rtl);
    let page = Page { receipt, content, texts };
    page.head(&mut sheet)?;
    page.facts(&mut sheet);
    page.heading(&mut sheet, texts.decisions);
    let close = content.decisions.len() >= CLOSE_DECISIONS_MIN;
    for decision in &content.decisions {
        page.decision(&mut sheet, decision, close);
    }
    page.heading(&mut sheet, texts.proof);
    page.draw_proof(&mut sheet);
    page.heading(&mut sheet, texts.meaning);
    page.meaning(&mut sheet);
    Ok(sheet)
}

struct Page<'a> {
    receipt: &'a Receipt,
    content: &'a Content,
    texts: &'a Texts,
}

fn column(start: f32, width: f32, lines_max: usize) -> Column {
    Column { start, width, lines_max }
}

impl Page<'_> {
    /// Returns the style of labels, in the direction of the page's language.
    fn label_style(&self, size: f32, weight: Weight) -> Style {
        Style { size, weight, rtl: self.texts.rtl }
    }

    /// Returns the style of codes and times, which are read from left to right in all languages.
    fn code(size: f32) -> Style {
        Style { size, weight: Weight::Regular, rtl: false }
    }

    fn head(&self, sheet: &mut Sheet) -> Result<(), NotACertificate> {
        let top = sheet.y;
        sheet.fill(0.0, 0.0, WIDTH, 7.0, ACCENT);
        let beside_code = INNER_WIDTH - QR_SIDE - 24.0;
        let style = self.label_style(10.0, Weight::Bold);
        let issuer = self.content.company.as_deref().unwrap_or("Musette");
        sheet.text(issuer, style, ACCENT, column(MARGIN, beside_code, 1));
        sheet.y += 6.0;
        let title = self.label_style(22.0, Weight::Bold);
        sheet.text(self.texts.title, title, INK, column(MARGIN, beside_code, 2));
        sheet.y += 2.0;
        let lead = self.label_style(10.0, Weight::Regular);
        sheet.text(self.texts.lead, lead, MUTED, column(MARGIN, beside_code, 3));
        let code = QrCode::encode_text(&self.content.code(&self.receipt.id), QrCodeEcc::Medium)
            .map_err(|error| NotACertificate(error.to_string()))?;
        let start = WIDTH - MARGIN - QR_SIDE;
        sheet.squares(start, top, QR_SIDE, code.size(), |x, y| code.get_module(x, y));
        sheet.y = sheet.y.max(top + QR_SIDE) + 16.0;
        Ok(())
    }

    fn fact(&self, sheet: &mut Sheet, label: &str, value: &str, style: Style) {
        let top = sheet.y;
        let label_width = VALUES_START - MARGIN - 10.0;
        let style_of_label = self.label_style(TEXT, Weight::Regular);
        sheet.text(label, style_of_label, MUTED, column(MARGIN, label_width, 2));
        let after_label = sheet.y;
        sheet.y = top;
        sheet.text(value, style, INK, column(VALUES_START, WIDTH - MARGIN - VALUES_START, 2));
        sheet.y = sheet.y.max(after_label) + 2.6;
    }

    fn facts(&self, sheet: &mut Sheet) {
        let Self { receipt, content, texts } = self;
        let bold = |style: Style| Style { weight: Weight::Bold, ..style };
        match &content.user_id {
            Some(user_id) => self.fact(sheet, texts.person, user_id, bold(Self::code(TEXT))),
            None => {
                let style = self.label_style(TEXT, Weight::Bold);
                self.fact(sheet, texts.person, texts.applicant, style);
            }
        }
        let recorded_at = in_utc(&content.recorded_at);
        self.fact(sheet, texts.recorded, &recorded_at, bold(Self::code(TEXT)));
        self.fact(sheet, texts.number, &receipt.id, Self::code(TEXT));
        if let Some(app) = &content.app {
            self.fact(sheet, texts.app, app, Self::code(TEXT));
        }
    }

    fn heading(&self, sheet: &mut Sheet, text: &str) {
        sheet.y += 10.0;
        sheet.fill(MARGIN, sheet.y, INNER_WIDTH, 0.8, RULE);
        sheet.y += 9.0;
        let style = self.label_style(11.5, Weight::Bold);
        sheet.text(text, style, INK, column(MARGIN, INNER_WIDTH, 1));
        sheet.y += 4.0;
    }

    fn decision(&self, sheet: &mut Sheet, decision: &Titled, close: bool) {
        let Titled { consent, title, .. } = decision;
        let padding = if close { 4.0 } else { 8.0 };
        let (mark, top) = (sheet.mark(), sheet.y);
        sheet.y += padding;
        sheet.sign(MARGIN + 11.0, sheet.y + 1.5, SIGN_SIDE, consent.accepted);
        let (word, colour) = self.verdict(consent.accepted);
        let width = WIDTH - MARGIN - 12.0 - BESIDE_SIGN;
        let title = if title.is_empty() { "–" } else { title };
        // A title has the direction of its first letter, whatever the language of the page.
        let rtl = unicode_bidi::get_base_direction(title) == unicode_bidi::Direction::Rtl;
        let style = Style { rtl, ..self.label_style(11.0, Weight::Bold) };
        let verdict = self.label_style(TEXT, Weight::Bold);
        sheet.word_at_end(word, verdict, colour, column(BESIDE_SIGN, width, 1));
        sheet.text(title, style, INK, column(BESIDE_SIGN, width - VERDICT_WIDTH, 2));
        let small = self.label_style(SMALL, Weight::Regular);
        let lines = column(BESIDE_SIGN, width, 2);
        sheet.text(&self.describe(decision), small, MUTED, lines);
        sheet.text(&format!("SHA-256 {}", consent.sha256), Self::code(SMALL), MUTED, lines);
        sheet.y += padding;
        sheet.ground(mark, top, sheet.y - top, TINT);
        sheet.y += if close { 3.0 } else { 6.0 };
    }

    fn verdict(&self, accepted: bool) -> (&'static str, Colour) {
        if accepted { (self.texts.accepted, GOOD) } else { (self.texts.refused, BAD) }
    }

    /// Describes a decision, including what the person's device sent about it.
    fn describe(&self, decision: &Titled) -> String {
        let Self { texts, .. } = self;
        let Titled { consent, kind, version, mandatory, .. } = decision;
        let mut parts = vec![
            ltr(kind),
            texts.version.replace("{n}", version),
            (if *mandatory { texts.mandatory } else { texts.optional }).to_owned(),
            texts.on_device.replace("{t}", &ltr(&in_utc(&consent.consented_at))),
        ];
        parts.extend(consent.method.map(|method| match method {
            Method::AgreeAll => texts.agree_all.to_owned(),
            Method::Tick => texts.tick.to_owned(),
        }));
        match (consent.opened, consent.last_page) {
            (Some(true), Some(page)) => {
                parts.push(texts.read_up_to.replace("{n}", &page.to_string()));
            }
            (Some(true), None) => parts.push(texts.opened.to_owned()),
            _ => {}
        }
        match consent.evidence {
            Evidence::Presented => {}
            Evidence::Inferred => parts.push(texts.inferred.to_owned()),
            Evidence::Imported => parts.push(texts.imported.to_owned()),
        }
        parts.retain(|part| !part.is_empty());
        parts.join(" · ")
    }

    fn draw_proof(&self, sheet: &mut Sheet) {
        let Self { receipt, content, texts } = self;
        let head = &content.head;
        // People count from one.
        let entry = texts
            .entry_of
            .replace("{i}", &(receipt.index + 1).to_string())
            .replace("{n}", &head.size.to_string());
        self.fact(sheet, texts.entry, &entry, self.label_style(TEXT, Weight::Regular));
        self.fact(sheet, texts.log, &head.origin, Self::code(TEXT));
        self.fact(sheet, texts.root, &head.root.to_base64(), Self::code(TEXT));
        if let Some(existed_before) = &content.existed_before {
            let sentence = existed_before.sentence(texts.existed_before, ltr);
            let style = self.label_style(TEXT, Weight::Regular);
            self.fact(sheet, texts.time_stamp, &sentence, style);
        }
        self.fact(sheet, texts.key, &content.vkey, Self::code(SMALL));
        self.fact(sheet, texts.subject, &content.subject, Self::code(SMALL));
    }

    fn meaning(&self, sheet: &mut Sheet) {
        let Self { content, texts, .. } = self;
        let style = self.label_style(TEXT, Weight::Regular);
        sheet.text(texts.meaning_text, style, INK, column(MARGIN, INNER_WIDTH, 6));
        sheet.y += 5.0;
        let check = texts
            .check_text
            .replace("{command}", &ltr("musette receipt verify"))
            .replace("{address}", &ltr(&content.key_address));
        sheet.text(&check, style, INK, column(MARGIN, INNER_WIDTH, 6));
        sheet.y += 5.0;
        sheet.text(COMMAND, Self::code(TEXT), MUTED, column(MARGIN, INNER_WIDTH, 1));
    }
}

/// Isolates a text, so that its direction stays left to right in a text that is read from right to
/// left.
fn ltr(text: &str) -> String {
    format!("\u{2066}{text}\u{2069}")
}
