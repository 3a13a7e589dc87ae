//! Modules of a crate import one another in one direction only.
//!
//! A module here is a top-level module of a crate: `src/x.rs` with `src/x/`. The test records an
//! import from module to module for each `crate::…` or `super::…` path that leaves its module. It
//! refuses every import that is part of a cycle, because modules in a cycle can only be understood,
//! tested and changed together.

use std::collections::{BTreeMap, BTreeSet};

use super::{is_test, sources};

/// The modules that a module imports, each with a file that does so.
type Arrows = BTreeMap<String, BTreeMap<String, String>>;

/// Splits the text between braces at its top-level commas, up to the closing brace.
fn group(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                parts.push(&text[start..at]);
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts
}

fn first_name(path: &str) -> &str {
    let path = path.trim_start();
    let end = path.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(path.len());
    &path[..end]
}

/// Returns the first names of all paths that start at the root of the crate in the code of this
/// module.
fn from_root<'a>(module: &[&str], code: &'a str) -> Vec<&'a str> {
    let mut names = Vec::new();
    let supers = "super::".repeat(module.len());
    for start in ["crate::", &supers] {
        for (at, _) in code.match_indices(start) {
            let before = &code[..at];
            let is_start = |c: char| !c.is_alphanumeric() && c != '_' && c != ':';
            if start == supers && !before.ends_with(is_start) {
                continue;
            }
            let rest = &code[at + start.len()..];
            match rest.strip_prefix('{') {
                Some(inner) => names.extend(group(inner).into_iter().map(first_name)),
                None => names.push(first_name(rest)),
            }
        }
    }
    names
}

/// Removes comments and the tests at the end.
fn code_of(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the imports of each crate.
fn draw(files: &[(String, String)]) -> BTreeMap<String, Arrows> {
    let mut crates: BTreeMap<String, Arrows> = BTreeMap::new();
    let is_room: BTreeSet<(&str, &str)> = files.iter().filter_map(|(path, _)| room(path)).collect();
    for (path, text) in files {
        let Some((name, from)) = room(path) else { continue };
        let inner = path.split_once("/src/").map_or("", |(_, inner)| inner);
        let module: Vec<&str> = inner.trim_end_matches(".rs").split('/').collect();
        let code = code_of(text);
        for to in from_root(&module, &code) {
            if to != from && is_room.contains(&(name, to)) {
                let arrows = crates.entry(name.to_owned()).or_default();
                let arrow = arrows.entry(from.to_owned()).or_default();
                arrow.entry(to.to_owned()).or_insert_with(|| path.clone());
            }
        }
    }
    crates
}

/// Returns the crate and the top-level module of a file. The roots `lib.rs` and `main.rs` only
/// declare the modules.
fn room(path: &str) -> Option<(&str, &str)> {
    let (name, inner) = path.strip_prefix("crates/")?.split_once("/src/")?;
    let room = inner.split('/').next()?.trim_end_matches(".rs");
    (!matches!(room, "lib" | "main") && !is_test(path)).then_some((name, room))
}

/// Returns whether imports lead from one module to the other.
fn leads(arrows: &Arrows, from: &str, to: &str) -> bool {
    let (mut visited, mut next) = (BTreeSet::new(), vec![from]);
    while let Some(room) = next.pop() {
        if room == to {
            return true;
        }
        if visited.insert(room) {
            next.extend(arrows.get(room).into_iter().flatten().map(|(to, _)| to.as_str()));
        }
    }
    false
}

fn circles(crates: &BTreeMap<String, Arrows>) -> BTreeMap<String, String> {
    let mut result = BTreeMap::new();
    for (name, arrows) in crates {
        for (from, imports) in arrows {
            for (to, file) in imports {
                if leads(arrows, to, from) {
                    result.insert(format!("{name}: {from} → {to}"), file.clone());
                }
            }
        }
    }
    result
}

#[test]
fn no_modules_import_each_other_in_a_cycle() {
    let circles = circles(&draw(&sources(&[".rs"])));
    assert!(
        circles.is_empty(),
        "these imports close a circle (arrow, a file that imports): {circles:#?}"
    );
}

#[test]
fn finds_a_cycle_in_every_notation() {
    let file = |path: &str, text: &str| (path.to_owned(), text.to_owned());
    let check = |b: &str| {
        let files = [
            file("crates/x/src/lib.rs", "mod a;\nmod b;\nmod c;"),
            file("crates/x/src/a.rs", "use crate::b::B;"),
            file("crates/x/src/b/inner.rs", b),
            file("crates/x/src/c.rs", "use crate::a::A;"),
            file("crates/x/src/b/tests.rs", "use crate::a::A;"),
        ];
        circles(&draw(&files)).len()
    };
    for (code, arrows) in [
        ("use crate::a::A;", 2),
        ("use crate::{\n    x::{Y, Z},\n    a,\n};", 2),
        ("let it = super::super::a::A;", 2),
        ("use crate::c;", 3),
        ("// use crate::a;", 0),
        ("use super::a;", 0),
        ("#[cfg(test)]\nmod tests {\n    use crate::a;\n}", 0),
    ] {
        assert_eq!(check(code), arrows, "{code}");
    }
}
