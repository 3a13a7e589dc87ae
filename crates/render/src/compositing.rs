//! Reports layers and blending that the renderer draws otherwise than the format says (ISO 32000-2
//! §8.11, §11.4): a blend mode inside a group that is not isolated, whose backdrop the renderer does
//! not see, knockout groups, and layers whose visibility is an expression.

use std::collections::HashSet;

use hayro::hayro_syntax::object::{Array, Dict, Name, Object, ObjectIdentifier, Stream};
use hayro::hayro_syntax::page::Page as PdfPage;

use super::finding::{FindingKind, Findings};

/// Maximum depth of nested forms.
const DEPTH_MAX: usize = 16;

/// Maximum number of forms that are examined on a page.
const FORMS_MAX: usize = 2_000;

pub(super) fn examine(page: &PdfPage<'_>, index: usize, findings: &Findings) {
    let mut walk = Walk { index, findings, seen: HashSet::new() };
    let resources = page.resources();
    walk.layers(&resources.properties);
    walk.objects(&resources.x_objects, false, 0);
    let annotations = page.raw().get::<Array<'_>>("Annots");
    for annotation in annotations.iter().flat_map(Array::iter::<Dict<'_>>) {
        if annotation.contains_key("OC") {
            walk.add("OC");
        }
        let Some(appearances) = annotation.get::<Dict<'_>>("AP") else { continue };
        match appearances.get::<Object<'_>>("N") {
            Some(Object::Stream(form)) => walk.form("AP", &form, false, 0),
            Some(Object::Dict(states)) => {
                let state = annotation.get::<Name<'_>>("AS");
                if let Some(form) = state.and_then(|state| states.get::<Stream<'_>>(&*state)) {
                    walk.form("AP", &form, false, 0);
                }
            }
            _ => {}
        }
    }
}

struct Walk<'w> {
    index: usize,
    findings: &'w Findings,
    seen: HashSet<ObjectIdentifier>,
}

impl Walk<'_> {
    fn add(&self, name: &str) {
        self.findings.add(Some(self.index), FindingKind::Graphic, name);
    }

    /// Reports layers with a visibility expression, and rules about several layers that are written
    /// within the resources. The renderer ignores both and shows their content.
    fn layers(&self, properties: &Dict<'_>) {
        for name in properties.keys() {
            let Some(layer) = properties.get::<Dict<'_>>(&*name) else { continue };
            let is_rule = layer.get::<Name<'_>>("Type").as_deref() == Some(b"OCMD");
            if layer.contains_key("VE") || is_rule && properties.get_ref(&*name).is_none() {
                self.add(&String::from_utf8_lossy(&name));
            }
        }
    }

    fn objects(&mut self, objects: &Dict<'_>, in_group: bool, depth: usize) {
        for name in objects.keys() {
            let Some(object) = objects.get::<Stream<'_>>(&*name) else { continue };
            let is_form = object.dict().get::<Name<'_>>("Subtype").as_deref() == Some(b"Form");
            let layer = object.dict().get::<Dict<'_>>("OC");
            if layer.is_some_and(|layer| layer.contains_key("VE")) {
                self.add(&String::from_utf8_lossy(&name));
            }
            if is_form {
                self.form(&String::from_utf8_lossy(&name), &object, in_group, depth);
            }
        }
    }

    fn form(&mut self, name: &str, form: &Stream<'_>, in_group: bool, depth: usize) {
        if depth >= DEPTH_MAX || self.seen.len() >= FORMS_MAX || !self.seen.insert(form.obj_id()) {
            return;
        }
        let dict = form.dict();
        let in_group = match dict.get::<Dict<'_>>("Group") {
            Some(group) => {
                if group.get::<bool>("K") == Some(true) {
                    self.add(name);
                }
                group.get::<bool>("I") != Some(true)
            }
            None => in_group,
        };
        let Some(resources) = dict.get::<Dict<'_>>("Resources") else { return };
        if let Some(properties) = resources.get::<Dict<'_>>("Properties") {
            self.layers(&properties);
        }
        if in_group && resources.get::<Dict<'_>>("ExtGState").is_some_and(|all| blends(&all)) {
            self.add(name);
        }
        if let Some(objects) = resources.get::<Dict<'_>>("XObject") {
            self.objects(&objects, in_group, depth + 1);
        }
    }
}

/// Returns whether one of the states has a blend mode other than Normal.
fn blends(states: &Dict<'_>) -> bool {
    let is_normal = |mode: &[u8]| matches!(mode, b"Normal" | b"Compatible");
    states.keys().any(|name| {
        let Some(state) = states.get::<Dict<'_>>(&*name) else { return false };
        match state.get::<Object<'_>>("BM") {
            Some(Object::Name(mode)) => !is_normal(&mode),
            Some(Object::Array(modes)) => {
                modes.iter::<Name<'_>>().next().is_some_and(|mode| !is_normal(&mode))
            }
            _ => false,
        }
    })
}
