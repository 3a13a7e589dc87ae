//! The fields of an AcroForm (ISO 32000-2 §12.7): what they hold against what their appearance shows.
//! Many programs fill in a value and leave drawing it to the reader (NeedAppearances).

use std::collections::HashSet;

use hayro::hayro_syntax::Pdf;
use hayro::hayro_syntax::object::{
    Array, Dict, MaybeRef, Name, Object, ObjectIdentifier, Rect, String as PdfString,
};

use super::appearance::{Lines, Writing};
use super::finding::{FindingKind, Findings};
use super::sheet::{Appearance, Sheet, colour, text_of, visible_area};
use super::text_string::text_string;

/// Depth of fields inside of fields; a loop is cut here.
const DEPTH_MAX: usize = 32;
const FIELDS_MAX: usize = 20_000;

const MULTILINE: u32 = 1 << 12;
const PASSWORD: u32 = 1 << 13;
const RADIO: u32 = 1 << 15;
const PUSH_BUTTON: u32 = 1 << 16;
const COMB: u32 = 1 << 24;

pub(super) struct Form<'a> {
    form: Dict<'a>,
    /// The appearances that are there may be of other values.
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

    /// Fields with a value that stand on no page.
    pub(super) fn look_for_lost(&self, document: &'a Pdf, findings: &Findings) {
        let pages = document.pages().iter();
        let on_pages: HashSet<ObjectIdentifier> = pages
            .filter_map(|page| page.raw().get::<Array<'_>>("Annots"))
            .flat_map(|all| {
                all.raw_iter().filter_map(|reference| Some(reference.as_obj_ref()?.into()))
            })
            .collect();
        let mut seen = HashSet::new();
        let mut open = vec![(self.form.get::<Array<'_>>("Fields"), 0)];
        while let Some((fields, depth)) = open.pop() {
            for item in fields.iter().flat_map(Array::raw_iter) {
                let (id, field) = match item {
                    MaybeRef::Ref(id) => (Some(id.into()), document.xref().get(id.into())),
                    MaybeRef::NotRef(object) => (None, object.into_dict()),
                };
                let is_new = id.is_none_or(|id| seen.insert(id));
                let Some(field) = field.filter(|_| is_new && seen.len() < FIELDS_MAX) else {
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
        looks: Appearance,
        sheet: &mut Sheet<'_>,
    ) {
        let kind = inherited(widget, |field| field.get::<Name<'_>>("FT"));
        let done = match kind.as_deref() {
            Some(b"Tx" | b"Ch") => self.draw_text(widget, at, looks, sheet),
            Some(b"Btn") => self.draw_button(widget, at, looks, sheet),
            // A signature that shows nothing is the usual one.
            Some(b"Sig") => looks != Appearance::Broken,
            _ => looks == Appearance::Drawn || !has_value(widget),
        };
        if !done {
            sheet.add(FindingKind::FormField, &name_of(widget));
        }
    }

    fn draw_text(
        &self,
        widget: &Dict<'_>,
        at: &Rect,
        looks: Appearance,
        sheet: &mut Sheet<'_>,
    ) -> bool {
        let Some(value) = shown_value(widget) else { return true };
        let flags = flags(widget);
        let is_drawn = looks == Appearance::Drawn;
        if is_drawn && flags & PASSWORD != 0 {
            return true;
        }
        if is_drawn {
            let drawn = sheet.letters_in(at);
            if holds(&drawn, &value) {
                return true;
            }
            // Some readers show the appearance, others the value: what is agreed to would depend on the
            // reader. An appearance without letters, such as outlines, cannot be compared.
            if !self.is_stale {
                return drawn.is_empty();
            }
        }
        let looks = widget.get::<Dict<'_>>("MK").unwrap_or_default();
        if looks.get::<i32>("R").unwrap_or(0) != 0 || flags & PASSWORD != 0 {
            return false;
        }
        // What another value left there gives way.
        match colour(&looks, "BG") {
            Some(ground) => sheet.cover(at, ground),
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
        looks: Appearance,
        sheet: &mut Sheet<'_>,
    ) -> bool {
        let flags = flags(widget);
        if flags & PUSH_BUTTON != 0 {
            let style = widget.get::<Dict<'_>>("MK").unwrap_or_default();
            let Some(caption) = text_of(&style, "CA") else { return looks != Appearance::Broken };
            if looks == Appearance::Drawn {
                return true;
            }
            let writing = Writing { align: 1, ..self.writing(widget, 0) };
            return sheet.ink.write(&caption, at, &writing);
        }
        let state = widget.get::<Name<'_>>("AS");
        let chosen = inherited(widget, |field| field.get::<Name<'_>>("V"));
        let is_on = match (&state, &chosen) {
            // The value counts where the appearance may be another's.
            (None, Some(chosen)) => own_state(widget).is_none_or(|own| own == **chosen),
            (Some(_), Some(chosen)) if self.is_stale => own_state(widget)
                .map_or_else(|| state.as_deref() != Some(b"Off"), |own| own == **chosen),
            _ => state.as_deref().is_some_and(|state| state != b"Off"),
        };
        let is_on = is_on && chosen.as_deref() != Some(b"Off");
        let shows_on =
            looks == Appearance::Drawn && state.as_deref().is_some_and(|state| state != b"Off");
        if is_on && !shows_on {
            sheet.ink.tick(at, flags & RADIO != 0);
        }
        // A box that is not ticked has often no appearance for that.
        true
    }
}

/// The name of the state in which this box is ticked.
fn own_state(widget: &Dict<'_>) -> Option<Vec<u8>> {
    let states = widget.get::<Dict<'_>>("AP")?.get::<Dict<'_>>("N")?;
    states.keys().map(|state| state.to_vec()).find(|state| state != b"Off")
}

/// The value of an entry, inherited from the field that this one is a part of.
fn inherited<'a, T>(field: &Dict<'a>, get: impl Fn(&Dict<'a>) -> Option<T>) -> Option<T> {
    let mut at = field.clone();
    for _ in 0..DEPTH_MAX {
        if let Some(found) = get(&at) {
            return Some(found);
        }
        at = at.get::<Dict<'_>>("Parent")?;
    }
    None
}

fn flags(widget: &Dict<'_>) -> u32 {
    inherited(widget, |field| field.get::<u32>("Ff")).unwrap_or(0)
}

/// The fully qualified name: the names from the outermost field on, with dots between.
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

/// The text that a person reads in it; of a choice, the name of its value.
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
    let called = |value: String| {
        let pair = options.iter().flat_map(Array::raw_iter).find_map(|option| {
            let MaybeRef::NotRef(Object::Array(pair)) = option else { return None };
            let pair: Vec<_> = pair.iter::<PdfString<'_>>().collect();
            let [export, shown] = &pair[..] else { return None };
            (text_string(export.as_bytes()) == value).then(|| text_string(shown.as_bytes()))
        });
        pair.unwrap_or(value)
    };
    let shown = values.into_iter().map(called).collect::<Vec<_>>().join("\n");
    (!shown.trim().is_empty()).then_some(shown)
}

/// Whether all letters of a value are there, in whatever order.
fn holds(drawn: &[char], value: &str) -> bool {
    let mut left = drawn.to_vec();
    value.chars().filter(|c| !c.is_whitespace()).all(|letter| {
        let place = left.iter().position(|candidate| *candidate == letter);
        place.map(|place| left.swap_remove(place)).is_some()
    })
}
