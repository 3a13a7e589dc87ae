//! Finds active content in a PDF (ISO 32000-2 §12.6, §7.11.4): scripts, programs, files, and
//! actions that send or import data. It searches all objects that the document can reach, and then
//! the objects without a reference. Nothing is removed: the file is either published unchanged or
//! not at all. A plain link to a web address is not active content.

use std::collections::HashSet;

use hayro::hayro_syntax::Pdf;
use hayro::hayro_syntax::object::{
    Array, Dict, MaybeRef, Name, Object, ObjectIdentifier, Stream, String as PdfString,
};
use hayro::hayro_syntax::xref::XRef;

use super::finding::{FindingKind, Findings};
use super::text_string::text_string;

/// Maximum length of a path such as `OpenAction/Next/A`. The end of a longer path is kept, because
/// it is the most useful part.
const PLACE_CHARS_MAX: usize = 80;

pub(super) fn examine(document: &Pdf, findings: &Findings) {
    let xref = document.xref();
    let mut walk = Walk { xref, findings, visited: HashSet::new(), stack: Vec::new() };
    let pages = document.pages();
    walk.visited.extend(pages.iter().filter_map(|page| page.raw().obj_id()));
    for (index, page) in pages.iter().enumerate() {
        walk.entries(page.raw(), Some(index), "");
        walk.run();
    }
    walk.push_ref(xref.root_id(), None, String::new());
    walk.run();
    for object in document.objects() {
        let id = match &object {
            Object::Dict(dict) => dict.obj_id(),
            Object::Stream(stream) => Some(stream.obj_id()),
            _ => None,
        };
        if id.is_none_or(|id| walk.visited.insert(id)) {
            walk.stack.push((object, None, "unused object".to_owned()));
            walk.run();
        }
    }
}

struct Walk<'a, 'f> {
    xref: &'a XRef,
    findings: &'f Findings,
    visited: HashSet<ObjectIdentifier>,
    /// Objects that are not searched yet, each with its page and the path to it.
    stack: Vec<(Object<'a>, Option<usize>, String)>,
}

impl<'a> Walk<'a, '_> {
    fn run(&mut self) {
        while let Some((object, page, place)) = self.stack.pop() {
            match object {
                Object::Dict(dict) => self.dict(&dict, page, &place),
                Object::Stream(stream) => self.stream(&stream, page, &place),
                Object::Array(array) => self.array(&array, page, &place),
                _ => {}
            }
        }
    }

    fn push_ref(&mut self, id: ObjectIdentifier, page: Option<usize>, place: String) {
        if self.visited.insert(id)
            && let Some(object) = self.xref.get::<Object<'_>>(id)
        {
            self.stack.push((object, page, place));
        }
    }

    fn push(&mut self, object: MaybeRef<Object<'a>>, page: Option<usize>, place: String) {
        match object {
            MaybeRef::Ref(id) => self.push_ref(id.into(), page, place),
            MaybeRef::NotRef(object) => self.stack.push((object, page, place)),
        }
    }

    fn array(&mut self, array: &Array<'a>, page: Option<usize>, place: &str) {
        for item in array.raw_iter() {
            if !matches!(
                item,
                MaybeRef::NotRef(Object::Number(_) | Object::Name(_) | Object::Null(_))
            ) {
                self.push(item, page, place.to_owned());
            }
        }
    }

    fn entries(&mut self, dict: &Dict<'a>, page: Option<usize>, place: &str) {
        let embedded = dict.get::<Dict<'_>>("EF").is_some();
        for (key, value) in dict.entries() {
            // From a page, these keys lead to all other pages, whose content would be reported for
            // this page.
            if page.is_some() && matches!(&*key, b"Parent" | b"P" | b"Pg" | b"IRT") {
                continue;
            }
            if embedded && &*key == b"EF" {
                self.mark_visited(&value);
                continue;
            }
            self.push(value, page, extend_path(place, &key));
        }
    }

    /// Marks the embedded file as visited, because its specification was reported already.
    fn mark_visited(&mut self, files: &MaybeRef<Object<'a>>) {
        let files = match files {
            MaybeRef::Ref(id) => {
                self.visited.insert((*id).into());
                self.xref.get::<Dict<'_>>((*id).into())
            }
            MaybeRef::NotRef(object) => object.clone().into_dict(),
        };
        let refs = files.iter().flat_map(Dict::entries);
        self.visited
            .extend(refs.filter_map(|(_, file)| file.as_obj_ref().map(ObjectIdentifier::from)));
    }

    fn add(&self, page: Option<usize>, kind: FindingKind, name: &str) {
        self.findings.add(page, kind, name);
    }

    fn dict(&mut self, dict: &Dict<'a>, page: Option<usize>, place: &str) {
        if let Some(kind) = action(dict) {
            self.add(page, kind, place);
        } else if is_script(dict) {
            self.add(page, FindingKind::Javascript, place);
        }
        if dict.get::<Dict<'_>>("EF").is_some() {
            self.add(page, FindingKind::EmbeddedFile, &file_name(dict));
        }
        if is_media(dict) {
            self.add(page, FindingKind::Media, place);
        }
        if let Some(form) = dict.get::<Object<'_>>("XFA") {
            self.xfa(&form, page, place);
        }
        self.entries(dict, page, place);
    }

    fn stream(&mut self, stream: &Stream<'a>, page: Option<usize>, place: &str) {
        if stream.dict().get::<Name<'_>>("Type").as_deref() == Some(b"EmbeddedFile") {
            self.add(page, FindingKind::EmbeddedFile, place);
        }
        // An object of a page is often a picture of many bytes; only what names others is read.
        self.dict(stream.dict(), page, place);
    }

    /// Searches an XFA form, whose packets are XML.
    fn xfa(&self, form: &Object<'a>, page: Option<usize>, place: &str) {
        self.add(page, FindingKind::Xfa, place);
        let packets: Vec<Stream<'_>> = match form {
            Object::Stream(stream) => vec![stream.clone()],
            Object::Array(array) => array
                .raw_iter()
                .filter_map(|item| self.xref.get::<Stream<'_>>(item.as_obj_ref()?.into()))
                .collect(),
            _ => Vec::new(),
        };
        for packet in packets {
            let Ok(xml) = packet.decoded_data() else { continue };
            let has = |word: &[u8]| xml.windows(word.len()).any(|window| window == word);
            if has(b"<script") || has(b":script") {
                self.add(page, FindingKind::Javascript, place);
            }
            if has(b"<submit") || has(b":submit") {
                self.add(page, FindingKind::SubmitForm, place);
            }
        }
    }
}

fn extend_path(place: &str, key: &Name<'_>) -> String {
    let key = String::from_utf8_lossy(key);
    let path = if place.is_empty() { key.into_owned() } else { format!("{place}/{key}") };
    let length = path.chars().count();
    path.chars().skip(length.saturating_sub(PLACE_CHARS_MAX)).collect()
}

/// Returns the kind of an action (ISO 32000-2 table 201), unless it only turns to a page or opens a
/// link.
fn action(dict: &Dict<'_>) -> Option<FindingKind> {
    // A structure element has an S entry too, which is its type.
    if dict.get::<Name<'_>>("Type").as_deref() == Some(b"StructElem") {
        return None;
    }
    Some(match &*dict.get::<Name<'_>>("S")? {
        b"JavaScript" | b"ECMAScript" => FindingKind::Javascript,
        b"Launch" => FindingKind::Launch,
        b"SubmitForm" => FindingKind::SubmitForm,
        b"ImportData" => FindingKind::ImportData,
        b"GoToR" | b"GoToE" => FindingKind::RemoteFile,
        b"Rendition" | b"Movie" | b"Sound" | b"RichMediaExecute" => FindingKind::Media,
        b"URI" => link(dict.get::<PdfString<'_>>("URI")?.as_bytes())?,
        _ => return None,
    })
}

/// Returns the kind of a link to a program or to a local file of the reader.
fn link(address: &[u8]) -> Option<FindingKind> {
    let address = text_string(address).trim_start().to_ascii_lowercase();
    match address.split_once(':')?.0 {
        "javascript" | "vbscript" | "data" => Some(FindingKind::Javascript),
        "file" => Some(FindingKind::Launch),
        _ => None,
    }
}

/// Returns whether the dictionary is a script without the name of its action, or with that of
/// another one. A picture or a font called JS in a list of resources is not a script.
fn is_script(dict: &Dict<'_>) -> bool {
    match dict.get::<Object<'_>>("JS") {
        Some(Object::String(_)) => true,
        Some(Object::Stream(stream)) => !stream.dict().contains_key("Subtype"),
        _ => false,
    }
}

fn is_media(dict: &Dict<'_>) -> bool {
    let subtype = dict.get::<Name<'_>>("Subtype");
    let is_annotation = dict.contains_key("Rect");
    is_annotation
        && matches!(
            subtype.as_deref(),
            Some(b"RichMedia" | b"Movie" | b"Sound" | b"Screen" | b"3D")
        )
}

fn file_name(specification: &Dict<'_>) -> String {
    ["UF", "F", "Desc"]
        .iter()
        .find_map(|key| specification.get::<PdfString<'_>>(key))
        .map_or_else(String::new, |name| text_string(name.as_bytes()))
}

/// Searches the bytes of a file that cannot be opened for names of active content. It does not find
/// names in compressed or encrypted parts.
pub fn active_names(bytes: &[u8]) -> Vec<super::Finding> {
    let findings = Findings::default();
    let mut rest = bytes;
    while let Some(start) = rest.iter().position(|&byte| byte == b'/') {
        rest = &rest[start + 1..];
        let length =
            rest.iter().take(64).position(|byte| b" \t\r\n\0\x0C()<>[]{}/%".contains(byte));
        let name = Name::new(&rest[..length.unwrap_or(0)]);
        let kind = match name.as_deref() {
            Some(b"JavaScript" | b"JS") => FindingKind::Javascript,
            Some(b"Launch") => FindingKind::Launch,
            Some(b"EmbeddedFile" | b"EmbeddedFiles") => FindingKind::EmbeddedFile,
            Some(b"SubmitForm") => FindingKind::SubmitForm,
            Some(b"ImportData") => FindingKind::ImportData,
            Some(b"GoToR" | b"GoToE") => FindingKind::RemoteFile,
            Some(b"RichMedia" | b"Rendition") => FindingKind::Media,
            _ => continue,
        };
        findings.add(None, kind, "");
    }
    findings.into_list()
}
