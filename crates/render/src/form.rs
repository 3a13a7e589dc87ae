//! The fields of an AcroForm (ISO 32000-2 §12.7): compares their values with what their appearance
//! shows. Many programs store a value and leave drawing it to the reader (NeedAppearances).

use std::collections::HashSet;

use hayro::hayro_syntax::Pdf;
use hayro::hayro_syntax::object::{
    Array, Dict, MaybeRef, Name, Object, ObjectIdentifier, Rect, String as PdfString,
};

use super::appearance::{Lines, Writing};
use super::finding::{FindingKind, Findings};
use super::glyphs::Glyph;
use super::layout;
use super::sheet::{Appearance, Sheet, colour, text_of, visible_area};
use super::text_string::text_string;

/// Maximum depth of nested fields, which also ends loops.
const DEPTH_MAX: usize = 32;
const FIELDS_MAX: usize = 20_000;

const MULTILINE: u32 = 1 << 12;
const PASSWORD: u32 = 1 << 13;
const RADIO: u32 = 1 << 15;
const PUSH_BUTTON: u32 = 1 << 16;
const COMB: u32 = 1 << 24;

pub(super) struct Form<'a> {
    form: Dict<'a>,
    /// Whether existing appearances may show other values.
    is_stale: bool,
}

impl<'a> Form<'a> {
    pub(super) fn of(document: &'a Pdf) -> Self {
        let xref = document.xref();
        let root = xref.get::<Dict<'_>>(xref.root_id());
        let form = root.and_then(|root| root.get::<Dict<'_>>("AcroForm")).unwrap_or_default();
        let is_stale = form.get::<bool>("NeedAppearances").unwrap_or(false);
        Self { form, is_stale }
    }

    /// Reports fields with a value that are on no page.
    pub(super) fn report_fields_without_page(&self, document: &'a Pdf, findings: &Findings) {
        let pages = document.pages().iter();
        let on_pages: HashSet<ObjectIdentifier> = pages
            .filter_map(|page| page.raw().get::<Array<'_>>("Annots"))
            .flat_map(|all| {
                all.raw_iter().filter_map(|reference| Some(reference.as_obj_ref()?.into()))
            })
            .collect();
        let mut visited = HashSet::new();
        let mut open = vec![(self.form.get::<Array<'_>>("Fields"), 0)];
        while let Some((fields, depth)) = open.pop() {
            for item in fields.iter().flat_map(Array::raw_iter) {
                let (id, field) = match item {
                    MaybeRef::Ref(id) => (Some(id.into()), document.xref().get(id.into())),
                    MaybeRef::NotRef(object) => (None, object.into_dict()),
                };
                let is_new = id.is_none_or(|id| visited.insert(id));
                let Some(field) = field.filter(|_| is_new && visited.len() < FIELDS_MAX) else {
                    continue;
                };
                let kids = field.get::<Array<'_>>("Kids");
                if kids.is_some() && depth < DEPTH_MAX {
                    open.push((kids, depth + 1));
                }
                let is_lost = id.is_some_and(|id| !on_pages.contains(&id));
                if is_lost && visible_area(&field).is_some() && has_value(&field) {
                    findings.add(None, FindingKind::FormField, &name_of(&field));
                }
            }
        }
    }

    pub(super) fn draw(
        &self,
        widget: &Dict<'_>,
        at: &Rect,
        appearance: Appearance,
        sheet: &mut Sheet<'_>,
    ) {
        let kind = inherited(widget, |field| field.get::<Name<'_>>("FT"));
        let is_shown = match kind.as_deref() {
            Some(b"Tx" | b"Ch") => self.draw_text(widget, at, appearance, sheet),
            Some(b"Btn") => self.draw_button(widget, at, appearance, sheet),
            // A signature usually has no visible appearance.
            Some(b"Sig") => appearance != Appearance::Broken,
            _ => appearance == Appearance::Drawn || !has_value(widget),
        };
        if !is_shown {
            sheet.add(FindingKind::FormField, &name_of(widget));
        }
    }

    fn draw_text(
        &self,
        widget: &Dict<'_>,
        at: &Rect,
        appearance: Appearance,
        sheet: &mut Sheet<'_>,
    ) -> bool {
        let Some(value) = shown_value(widget) else { return true };
        let flags = flags(widget);
        let is_drawn = appearance == Appearance::Drawn;
        if is_drawn && flags & PASSWORD != 0 {
            return true;
        }
        if is_drawn {
            let drawn = sheet.glyphs_in(at);
            if shows(&drawn, &value) {
                return true;
            }
            // Some readers show the appearance and others the value, so users might agree to
            // different texts. An appearance without letters, such as outlines, cannot be compared.
            if !self.is_stale {
                return drawn.is_empty();
            }
        }
        let characteristics = widget.get::<Dict<'_>>("MK").unwrap_or_default();
        if characteristics.get::<i32>("R").unwrap_or(0) != 0 || flags & PASSWORD != 0 {
            return false;
        }
        // Covers an appearance of another value.
        match colour(&characteristics, "BG") {
            Some(background) => sheet.cover(at, background),
            None if is_drawn => sheet.cover(at, [1.0; 3]),
            None => {}
        }
        sheet.ink.write(&value, at, &self.writing(widget, flags))
    }

    fn writing(&self, widget: &Dict<'_>, flags: u32) -> Writing {
        let style = |field: &Dict<'_>| field.get::<PdfString<'_>>("DA").map(|style| style.to_vec());
        let style = inherited(widget, style).or_else(|| style(&self.form)).unwrap_or_default();
        let align = inherited(widget, |field| field.get::<i32>("Q"));
        let align = align.or_else(|| self.form.get::<i32>("Q")).unwrap_or(0);
        let cells = inherited(widget, |field| field.get::<u32>("MaxLen")).unwrap_or(0);
        let lines = if flags & MULTILINE != 0 {
            Lines::Many
        } else if flags & COMB != 0 && cells > 0 {
            Lines::Comb(usize::try_from(cells).unwrap_or(1))
        } else {
            Lines::One
        };
        Writing::of(&String::from_utf8_lossy(&style), align, lines)
    }

    fn draw_button(
        &self,
        widget: &Dict<'_>,
        at: &Rect,
        appearance: Appearance,
        sheet: &mut Sheet<'_>,
    ) -> bool {
        let flags = flags(widget);
        if flags & PUSH_BUTTON != 0 {
            let style = widget.get::<Dict<'_>>("MK").unwrap_or_default();
            let Some(caption) = text_of(&style, "CA") else {
                return appearance != Appearance::Broken;
            };
            if appearance == Appearance::Drawn {
                return true;
            }
            let writing = Writing { align: 1, ..self.writing(widget, 0) };
            return sheet.ink.write(&caption, at, &writing);
        }
        let state = widget.get::<Name<'_>>("AS");
        let value = inherited(widget, |field| field.get::<Name<'_>>("V"));
        let is_on = match (&state, &value) {
            // The value decides if the appearance may be that of another value.
            (None, Some(value)) => own_state(widget).is_none_or(|own| own == **value),
            (Some(_), Some(value)) if self.is_stale => own_state(widget)
                .map_or_else(|| state.as_deref() != Some(b"Off"), |own| own == **value),
            _ => state.as_deref().is_some_and(|state| state != b"Off"),
        };
        let is_on = is_on && value.as_deref() != Some(b"Off");
        let by_value = value
            .as_deref()
            .map(|value| own_state(widget).map_or(value != b"Off", |own| own == *value));
        let by_state = state.as_deref().map(|state| state != b"Off");
        if !self.is_stale && by_value.zip(by_state).is_some_and(|(value, state)| value != state) {
            // Some programs show the state and others the value.
            return false;
        }
        let shows_on = appearance == Appearance::Drawn
            && state.as_deref().is_some_and(|state| state != b"Off");
        let is_round = flags & RADIO != 0;
        if appearance == Appearance::None {
            // The format leaves drawing the box to the reader.
            sheet.ink.outline(at, is_round);
        }
        if is_on && !shows_on {
            sheet.ink.tick(at, is_round);
        }
        sheet.tick_box(at, is_round, is_on);
        // An unticked box often has no appearance for this state.
        true
    }
}

/// Returns the name of the state in which this box is ticked.
fn own_state(widget: &Dict<'_>) -> Option<Vec<u8>> {
    let states = widget.get::<Dict<'_>>("AP")?.get::<Dict<'_>>("N")?;
    states.keys().map(|state| state.to_vec()).find(|state| state != b"Off")
}

/// Returns the value of an entry, which may be inherited from a parent field.
fn inherited<'a, T>(field: &Dict<'a>, get: impl Fn(&Dict<'a>) -> Option<T>) -> Option<T> {
    let mut at = field.clone();
    for _ in 0..DEPTH_MAX {
        if let Some(value) = get(&at) {
            return Some(value);
        }
        at = at.get::<Dict<'_>>("Parent")?;
    }
    None
}

fn flags(widget: &Dict<'_>) -> u32 {
    inherited(widget, |field| field.get::<u32>("Ff")).unwrap_or(0)
}

/// Returns the fully qualified name: the names from the outermost field, separated by dots.
fn name_of(widget: &Dict<'_>) -> String {
    let mut parts = Vec::new();
    let mut at = Some(widget.clone());
    while let Some(field) = at.filter(|_| parts.len() < DEPTH_MAX) {
        parts.extend(text_of(&field, "T"));
        at = field.get::<Dict<'_>>("Parent");
    }
    parts.reverse();
    parts.join(".")
}

fn has_value(field: &Dict<'_>) -> bool {
    match inherited(field, |field| field.get::<Object<'_>>("V")) {
        Some(Object::Name(state)) => &*state != b"Off",
        Some(Object::Dict(_)) | None => false,
        Some(_) => shown_value(field).is_some(),
    }
}

/// Returns the visible text of the value. For a choice, this is the name of the option.
fn shown_value(field: &Dict<'_>) -> Option<String> {
    let values: Vec<String> = match inherited(field, |field| field.get::<Object<'_>>("V"))? {
        Object::String(text) => vec![text_string(text.as_bytes())],
        Object::Stream(text) => vec![text_string(&text.decoded_data().ok()?)],
        Object::Array(all) => {
            all.iter::<PdfString<'_>>().map(|text| text_string(text.as_bytes())).collect()
        }
        _ => return None,
    };
    let options = inherited(field, |field| field.get::<Array<'_>>("Opt"));
    let display_name = |value: String| {
        let pair = options.iter().flat_map(Array::raw_iter).find_map(|option| {
            let MaybeRef::NotRef(Object::Array(pair)) = option else { return None };
            let pair: Vec<_> = pair.iter::<PdfString<'_>>().collect();
            let [export, shown] = &pair[..] else { return None };
            (text_string(export.as_bytes()) == value).then(|| text_string(shown.as_bytes()))
        });
        pair.unwrap_or(value)
    };
    let text = values.into_iter().map(display_name).collect::<Vec<_>>().join("\n");
    (!text.trim().is_empty()).then_some(text)
}

/// Returns whether the glyphs show the value, letter for letter: in the order in which they are
/// drawn, or in lines as they are read.
fn shows(drawn: &[Glyph], value: &str) -> bool {
    let solid = |text: &str| -> String { text.chars().filter(|c| !c.is_whitespace()).collect() };
    let value = solid(value);
    let in_order: String = drawn.iter().map(|glyph| solid(&glyph.text)).collect();
    let is_same_number = |a: &str, b: &str| amount(a).zip(amount(b)).is_some_and(|(a, b)| a == b);
    if in_order == value || is_same_number(&in_order, &value) {
        return true;
    }
    let lines = layout::drawn_lines(drawn.to_vec());
    lines.iter().map(|line| solid(&line.text)).collect::<String>() == value
}

/// Returns the digits of a formatted number before and after its decimal sign: 1499 and 1,499.00 EUR
/// are the same.
fn amount(text: &str) -> Option<(String, String)> {
    let number = text.trim_matches(|letter: char| !letter.is_ascii_digit());
    let is_number = |letter: char| letter.is_ascii_digit() || matches!(letter, '.' | ',' | '\'');
    if number.is_empty() || !number.chars().all(is_number) || text.matches('-').count() > 0 {
        return None;
    }
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let (whole, part) = match number.rfind(['.', ',']) {
        Some(at) if number.len() - at <= 3 => (digits(&number[..at]), digits(&number[at..])),
        _ => (digits(number), String::new()),
    };
    Some((whole.trim_start_matches('0').to_owned(), part.trim_end_matches('0').to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formatted_number_is_the_same_and_an_anagram_is_not() {
        assert_eq!(amount("1499"), amount("1,499.00EUR"));
        assert_eq!(amount("1.499,5"), amount("1499.50"));
        assert_ne!(amount("25.00"), amount("52.00"));
        assert_ne!(amount("5"), amount("50"));
        assert_eq!(amount("two"), None);
    }
}
