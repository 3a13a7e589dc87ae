//! The structure tree of a tagged document (ISO 32000-2 §14.7): which marked content belongs to which
//! paragraph, heading, item or cell, and in which order it is read. A file may say anything here, so it
//! gives roles and an order to letters that are drawn, and never letters.

use std::collections::{HashMap, HashSet};

use hayro::hayro_syntax::Pdf;
use hayro::hayro_syntax::object::{Array, Dict, MaybeRef, Name, Object, ObjectIdentifier};
use hayro::hayro_syntax::xref::XRef;

/// A hostile tree has millions of elements, or goes round in circles.
const STEPS_MAX: u32 = 400_000;
const NESTED_MAX: usize = 100;

/// More columns than any page has room for.
const COLUMNS_MAX: u32 = 50;

/// Further lists within lists are set like the last.
const LISTS_MAX: u8 = 6;

/// How an element is set.
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

/// Where a cell is in the tables of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) table: u32,
    pub(super) row: u32,
    pub(super) head: bool,
    pub(super) columns: u32,
}

/// What a piece of marked content belongs to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Leaf {
    /// Counts the elements that are set apart from each other, and the pieces of those that others stand
    /// inside of.
    pub(super) element: u32,
    pub(super) role: Role,
    /// How many lists it is inside of.
    pub(super) depth: u8,
    /// Counts the items of lists.
    pub(super) item: u32,
    /// In reading order.
    pub(super) order: u32,
}

/// The tags of a document, by page and number of the marked content.
#[derive(Default)]
pub(super) struct Tags {
    leaves: HashMap<(usize, u32), Leaf>,
    /// Pages whose marked content is numbered twice, because parts of it are drawn by forms.
    unclear: HashSet<usize>,
}

impl Tags {
    /// Empty for a document without tags.
    pub(super) fn of(document: &Pdf) -> Self {
        let xref = document.xref();
        let mut walk = Walk {
            xref,
            roles: HashMap::new(),
            pages: HashMap::new(),
            seen: HashSet::new(),
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
        let mut within = Within {
            page: None,
            element: 0,
            role: Role::Paragraph,
            depth: 0,
            table: 0,
            item: 0,
            nested: 0,
        };
        walk.kids(&tree, &mut within);
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
    seen: HashSet<ObjectIdentifier>,
    steps: u32,
    elements: u32,
    tables: u32,
    rows: u32,
    items: u32,
    tags: Tags,
}

/// What the kids of an element inherit.
#[derive(Clone, Copy)]
struct Within {
    page: Option<usize>,
    element: u32,
    role: Role,
    depth: u8,
    /// The table that it is in, from 1.
    table: u32,
    item: u32,
    nested: usize,
}

impl<'a> Walk<'a> {
    fn kids(&mut self, element: &Dict<'a>, within: &mut Within) {
        let Some(kids) = element.get_raw::<Object<'_>>("K") else { return };
        let resolved = match kids {
            MaybeRef::Ref(id) if self.seen.insert(id.into()) => {
                self.xref.get::<Object<'_>>(id.into())
            }
            MaybeRef::Ref(_) => None,
            MaybeRef::NotRef(object) => Some(object),
        };
        match resolved {
            Some(Object::Array(kids)) => {
                for kid in kids.raw_iter() {
                    self.kid(kid, within);
                }
            }
            Some(object) => self.kid(MaybeRef::NotRef(object), within),
            None => {}
        }
    }

    fn kid(&mut self, kid: MaybeRef<Object<'a>>, within: &mut Within) {
        // Each step counts, also one that leads nowhere.
        self.steps += 1;
        if within.nested > NESTED_MAX || self.steps > STEPS_MAX {
            return;
        }
        let kid = match kid {
            MaybeRef::Ref(id) if self.seen.insert(id.into()) => {
                self.xref.get::<Object<'_>>(id.into())
            }
            MaybeRef::Ref(_) => None,
            MaybeRef::NotRef(object) => Some(object),
        };
        match kid {
            Some(Object::Number(tag)) => self.content(within.page, tag.as_f64(), within),
            Some(Object::Dict(kid)) => self.element(&kid, within),
            _ => {}
        }
    }

    fn content(&mut self, page: Option<usize>, tag: f64, within: &Within) {
        let Some(page) = page.filter(|_| tag >= 0.0 && tag <= f64::from(u32::MAX)) else { return };
        let Within { element, role, depth, item, .. } = *within;
        let leaf = Leaf { element, role, depth, item, order: self.steps };
        // The first place counts: nothing is read twice.
        self.tags.leaves.entry((page, tag as u32)).or_insert(leaf);
    }

    fn element(&mut self, element: &Dict<'a>, outer: &mut Within) {
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
        let mut within = Within { page, nested: outer.nested + 1, ..*outer };
        let apart = self.enter(&name, element, &mut within);
        if apart {
            self.elements += 1;
            within.element = self.elements;
        }
        self.kids(element, &mut within);
        if apart {
            // What follows in the outer element is another paragraph of it.
            self.elements += 1;
            outer.element = self.elements;
        } else {
            outer.element = within.element;
        }
    }

    /// Sets the role of an element; whether it is set apart from its neighbours.
    fn enter(&mut self, name: &str, element: &Dict<'a>, within: &mut Within) -> bool {
        let in_cell = matches!(within.role, Role::Cell(_));
        match name {
            "H" | "Title" if !in_cell => within.role = Role::Heading(1),
            "H1" | "H2" | "H3" | "H4" | "H5" | "H6" if !in_cell => {
                within.role = Role::Heading(name.as_bytes()[1] - b'0');
            }
            "L" | "TOC" if !in_cell => within.depth = (within.depth + 1).min(LISTS_MAX),
            "Lbl" if within.depth > 0 && !in_cell => within.role = Role::Marker,
            "LI" | "TOCI" if !in_cell => {
                self.items += 1;
                (within.role, within.item) = (Role::Item, self.items);
            }
            "LBody" if !in_cell => within.role = Role::Item,
            "Note" | "FENote" if !in_cell => within.role = Role::Note,
            "P" if within.role == Role::Item || within.role == Role::Note || in_cell => {}
            "P" | "Caption" | "BlockQuote" | "Formula" => within.role = Role::Paragraph,
            "Table" if !in_cell => {
                self.tables += 1;
                within.table = self.tables;
            }
            "TR" if !in_cell => self.rows += 1,
            "TH" | "TD" if within.table > 0 && !in_cell => {
                let columns = columns_of(element).clamp(1, COLUMNS_MAX);
                let (table, row, head) = (within.table, self.rows, name == "TH");
                within.role = Role::Cell(Place { table, row, head, columns });
            }
            "Span" | "Link" | "Em" | "Strong" | "Sub" | "Quote" | "Code" | "Reference"
            | "Annot" | "Ruby" | "RB" | "RT" | "RP" | "Warichu" | "WT" | "WP" => return false,
            // The text of a cell is one, whatever it is made of; groups are none of our concern.
            _ if in_cell => return false,
            _ => {}
        }
        !in_cell || matches!(name, "TH" | "TD")
    }

    fn role_name(&self, name: &str) -> String {
        let mut name = name;
        // Roles are mapped to others, which may go round in circles.
        for _ in 0..8 {
            match self.roles.get(name) {
                Some(next) if next != name => name = next,
                _ => break,
            }
        }
        name.to_owned()
    }
}

/// How many columns a cell takes, from its attributes.
fn columns_of(element: &Dict<'_>) -> u32 {
    let of = |attributes: &Dict<'_>| attributes.get::<u32>("ColSpan");
    let one = element.get::<Dict<'_>>("A").and_then(|attributes| of(&attributes));
    let many = || {
        let list = element.get::<Array<'_>>("A")?;
        list.iter::<Dict<'_>>().find_map(|attributes| of(&attributes))
    };
    one.or_else(many).unwrap_or(1)
}
