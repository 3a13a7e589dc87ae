//! The structure tree of a tagged document (ISO 32000-2 §14.7): it assigns marked content to
//! paragraphs, headings, items and cells, and defines the reading order. A file may contain any
//! tags. Therefore tags only give roles and an order to letters that are drawn, and never add
//! letters.

use std::collections::{HashMap, HashSet};

use hayro::hayro_syntax::Pdf;
use hayro::hayro_syntax::object::{Array, Dict, MaybeRef, Name, Object, ObjectIdentifier};
use hayro::hayro_syntax::xref::XRef;

/// Maximum number of steps through the tree. A malicious tree may have millions of elements, or
/// cycles.
const STEPS_MAX: u32 = 400_000;
const NESTED_MAX: usize = 100;

/// Maximum number of columns; more than fit on any page.
const COLUMNS_MAX: u32 = 50;

/// Maximum depth of lists. Deeper lists are displayed like the last level.
const LISTS_MAX: u8 = 6;

/// The role of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Heading(u8),
    Paragraph,
    /// The marker of an item.
    Marker,
    /// The text of an item.
    Item,
    Note,
    Cell(Place),
}

/// The position of a cell in the tables of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) table: u32,
    pub(super) row: u32,
    pub(super) head: bool,
    pub(super) columns: u32,
}

/// The element that marked content belongs to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Leaf {
    /// Number of the element. Separate elements have different numbers, and so do the parts of an
    /// element around a nested one.
    pub(super) element: u32,
    pub(super) role: Role,
    /// Number of lists around it.
    pub(super) depth: u8,
    /// Number of the list item.
    pub(super) item: u32,
    /// Position in the reading order.
    pub(super) order: u32,
}

/// The tags of a document, by page and number of marked content.
#[derive(Default)]
pub(super) struct Tags {
    leaves: HashMap<(usize, u32), Leaf>,
    /// Pages with duplicate numbers of marked content, because parts of it are drawn by forms.
    unclear: HashSet<usize>,
}

impl Tags {
    /// Reads the tags; the result is empty for a document without tags.
    pub(super) fn of(document: &Pdf) -> Self {
        let xref = document.xref();
        let mut walk = Walk {
            xref,
            roles: HashMap::new(),
            pages: HashMap::new(),
            visited: HashSet::new(),
            steps: 0,
            elements: 0,
            tables: 0,
            rows: 0,
            items: 0,
            tags: Self::default(),
        };
        let root = xref.get::<Dict<'_>>(xref.root_id());
        let Some(tree) = root.and_then(|root| root.get::<Dict<'_>>("StructTreeRoot")) else {
            return walk.tags;
        };
        for (index, page) in document.pages().iter().enumerate() {
            if let Some(id) = page.raw().obj_id() {
                walk.pages.insert(id, index);
            }
        }
        if let Some(roles) = tree.get::<Dict<'_>>("RoleMap") {
            for name in roles.keys() {
                if let Some(to) = roles.get::<Name<'_>>(&*name) {
                    walk.roles.insert(name.as_str().to_owned(), to.as_str().to_owned());
                }
            }
        }
        let mut inherited = Inherited {
            page: None,
            element: 0,
            role: Role::Paragraph,
            depth: 0,
            table: 0,
            item: 0,
            nested: 0,
        };
        walk.kids(&tree, &mut inherited);
        walk.tags
    }

    pub(super) fn leaf(&self, page: usize, tag: u32) -> Option<Leaf> {
        self.leaves.get(&(page, tag)).copied()
    }

    pub(super) fn are_clear(&self, page: usize) -> bool {
        !self.leaves.is_empty() && !self.unclear.contains(&page)
    }
}

struct Walk<'a> {
    xref: &'a XRef,
    roles: HashMap<String, String>,
    pages: HashMap<ObjectIdentifier, usize>,
    visited: HashSet<ObjectIdentifier>,
    steps: u32,
    elements: u32,
    tables: u32,
    rows: u32,
    items: u32,
    tags: Tags,
}

/// The properties that child elements inherit.
#[derive(Clone, Copy)]
struct Inherited {
    page: Option<usize>,
    element: u32,
    role: Role,
    depth: u8,
    /// Number of the table around it, from 1.
    table: u32,
    item: u32,
    nested: usize,
}

impl<'a> Walk<'a> {
    fn kids(&mut self, element: &Dict<'a>, inherited: &mut Inherited) {
        let Some(kids) = element.get_raw::<Object<'_>>("K") else { return };
        let resolved = match kids {
            MaybeRef::Ref(id) if self.visited.insert(id.into()) => {
                self.xref.get::<Object<'_>>(id.into())
            }
            MaybeRef::Ref(_) => None,
            MaybeRef::NotRef(object) => Some(object),
        };
        match resolved {
            Some(Object::Array(kids)) => {
                for kid in kids.raw_iter() {
                    self.kid(kid, inherited);
                }
            }
            Some(object) => self.kid(MaybeRef::NotRef(object), inherited),
            None => {}
        }
    }

    fn kid(&mut self, kid: MaybeRef<Object<'a>>, inherited: &mut Inherited) {
        // Every step is counted, even one that leads nowhere.
        self.steps += 1;
        if inherited.nested > NESTED_MAX || self.steps > STEPS_MAX {
            return;
        }
        let kid = match kid {
            MaybeRef::Ref(id) if self.visited.insert(id.into()) => {
                self.xref.get::<Object<'_>>(id.into())
            }
            MaybeRef::Ref(_) => None,
            MaybeRef::NotRef(object) => Some(object),
        };
        match kid {
            Some(Object::Number(tag)) => self.content(inherited.page, tag.as_f64(), inherited),
            Some(Object::Dict(kid)) => self.element(&kid, inherited),
            _ => {}
        }
    }

    fn content(&mut self, page: Option<usize>, tag: f64, inherited: &Inherited) {
        let Some(page) = page.filter(|_| tag >= 0.0 && tag <= f64::from(u32::MAX)) else { return };
        let Inherited { element, role, depth, item, .. } = *inherited;
        let leaf = Leaf { element, role, depth, item, order: self.steps };
        // Only the first occurrence is used, so that nothing occurs twice.
        self.tags.leaves.entry((page, tag as u32)).or_insert(leaf);
    }

    fn element(&mut self, element: &Dict<'a>, outer: &mut Inherited) {
        let page = element.get_ref("Pg").and_then(|id| self.pages.get(&id.into()).copied());
        let page = page.or(outer.page);
        if element.contains_key("MCID") {
            if element.contains_key("Stm") {
                self.tags.unclear.extend(page);
            }
            let tag = element.get::<u32>("MCID").map_or(-1.0, f64::from);
            return self.content(page, tag, outer);
        }
        let Some(name) = element.get::<Name<'_>>("S") else { return };
        let name = self.role_name(name.as_str());
        let mut inherited = Inherited { page, nested: outer.nested + 1, ..*outer };
        let is_separate = self.enter(&name, element, &mut inherited);
        if is_separate {
            self.elements += 1;
            inherited.element = self.elements;
        }
        self.kids(element, &mut inherited);
        if is_separate {
            // The rest of the outer element is a separate paragraph.
            self.elements += 1;
            outer.element = self.elements;
        } else {
            outer.element = inherited.element;
        }
    }

    /// Sets the role of an element, and returns whether it is separate from its neighbours.
    fn enter(&mut self, name: &str, element: &Dict<'a>, inherited: &mut Inherited) -> bool {
        let in_cell = matches!(inherited.role, Role::Cell(_));
        match name {
            "H" | "Title" if !in_cell => inherited.role = Role::Heading(1),
            "H1" | "H2" | "H3" | "H4" | "H5" | "H6" if !in_cell => {
                inherited.role = Role::Heading(name.as_bytes()[1] - b'0');
            }
            "L" | "TOC" if !in_cell => inherited.depth = (inherited.depth + 1).min(LISTS_MAX),
            "Lbl" if inherited.depth > 0 && !in_cell => inherited.role = Role::Marker,
            "LI" | "TOCI" if !in_cell => {
                self.items += 1;
                (inherited.role, inherited.item) = (Role::Item, self.items);
            }
            "LBody" if !in_cell => inherited.role = Role::Item,
            "Note" | "FENote" if !in_cell => inherited.role = Role::Note,
            "P" if inherited.role == Role::Item || inherited.role == Role::Note || in_cell => {}
            "P" | "Caption" | "BlockQuote" | "Formula" => inherited.role = Role::Paragraph,
            "Table" if !in_cell => {
                self.tables += 1;
                inherited.table = self.tables;
            }
            "TR" if !in_cell => self.rows += 1,
            "TH" | "TD" if inherited.table > 0 && !in_cell => {
                let columns = columns_of(element).clamp(1, COLUMNS_MAX);
                let (table, row, head) = (inherited.table, self.rows, name == "TH");
                inherited.role = Role::Cell(Place { table, row, head, columns });
            }
            "Span" | "Link" | "Em" | "Strong" | "Sub" | "Quote" | "Code" | "Reference"
            | "Annot" | "Ruby" | "RB" | "RT" | "RP" | "Warichu" | "WT" | "WP" => return false,
            // The text of a cell is not divided. Grouping elements have no role.
            _ if in_cell => return false,
            _ => {}
        }
        !in_cell || matches!(name, "TH" | "TD")
    }

    fn role_name(&self, name: &str) -> String {
        let mut name = name;
        // Roles may be mapped to other roles, possibly in a cycle.
        for _ in 0..8 {
            match self.roles.get(name) {
                Some(next) if next != name => name = next,
                _ => break,
            }
        }
        name.to_owned()
    }
}

/// Returns the number of columns that a cell spans, from its attributes.
fn columns_of(element: &Dict<'_>) -> u32 {
    let of = |attributes: &Dict<'_>| attributes.get::<u32>("ColSpan");
    let one = element.get::<Dict<'_>>("A").and_then(|attributes| of(&attributes));
    let many = || {
        let list = element.get::<Array<'_>>("A")?;
        list.iter::<Dict<'_>>().find_map(|attributes| of(&attributes))
    };
    one.or_else(many).unwrap_or(1)
}
