//! Modules of a crate import one another in one direction only.
//!
//! A module here is a file with the folder of its name: `src/x.rs` with `src/x/`. The test records an
//! import from module to module, among those with the same parent, for each `crate::…` or `super::…`
//! path that leaves its module. It refuses every import that is part of a cycle, because modules in
//! a cycle can only be understood, tested and changed together.

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

/// Returns the segments of a path, and the text after it.
fn segments(path: &str) -> (Vec<&str>, &str) {
    let (mut names, mut rest) = (Vec::new(), path.trim_start());
    loop {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        if end > 0 {
            names.push(&rest[..end]);
        }
        rest = &rest[end..];
        match rest.strip_prefix("::") {
            Some(next) => rest = next,
            None => return (names, rest),
        }
    }
}

/// Adds the paths of a tree of imports such as `a::{b, c::d}`.
fn add_paths<'a>(prefix: &[&'a str], tree: &'a str, paths: &mut Vec<Vec<&'a str>>) {
    let (names, rest) = segments(tree);
    let path = [prefix, &names].concat();
    match rest.strip_prefix('{') {
        Some(inner) => group(inner).into_iter().for_each(|part| add_paths(&path, part, paths)),
        None => paths.push(path),
    }
}

/// Returns all paths of this module that start with `crate::` or `super::`, from the root of the
/// crate.
fn from_root<'a>(module: &[&'a str], code: &'a str) -> Vec<Vec<&'a str>> {
    let mut paths = Vec::new();
    for start in ["crate::", "super::"] {
        for (at, _) in code.match_indices(start) {
            let is_start = |c: char| !c.is_alphanumeric() && c != '_' && c != ':';
            if at == 0 || code[..at].ends_with(is_start) {
                add_paths(&[], &code[at..], &mut paths);
            }
        }
    }
    paths.into_iter().map(|path| absolute(module, &path)).collect()
}

fn absolute<'a>(module: &[&'a str], path: &[&'a str]) -> Vec<&'a str> {
    let supers = path.iter().take_while(|name| **name == "super").count();
    let base = if supers == 0 { &[][..] } else { &module[..module.len().saturating_sub(supers)] };
    let names = &path[supers.max(1)..];
    [base, names].concat()
}

/// Removes comments and the tests at the end.
fn code_of(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the imports between the modules of each crate, and between the modules of each module.
fn draw(files: &[(String, String)]) -> BTreeMap<String, Arrows> {
    let mut groups: BTreeMap<String, Arrows> = BTreeMap::new();
    let modules: BTreeSet<(&str, Vec<&str>)> =
        files.iter().filter_map(|(path, _)| module_of(path)).collect();
    for (path, text) in files {
        let Some((name, from)) = module_of(path) else { continue };
        let code = code_of(text);
        for mut to in from_root(&from, &code) {
            while !to.is_empty() && !modules.contains(&(name, to.clone())) {
                to.pop();
            }
            let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
            let (Some(here), Some(there)) = (from.get(common), to.get(common)) else { continue };
            let parent = [&[name], &from[..common]].concat().join("::");
            let arrow = groups.entry(parent).or_default().entry((*here).to_owned()).or_default();
            arrow.entry((*there).to_owned()).or_insert_with(|| path.clone());
        }
    }
    groups
}

/// Returns the crate and the path of a file's module. The roots `lib.rs` and `main.rs` only declare
/// modules.
fn module_of(path: &str) -> Option<(&str, Vec<&str>)> {
    let (name, inner) = path.strip_prefix("crates/")?.split_once("/src/")?;
    let module: Vec<&str> = inner.trim_end_matches(".rs").split('/').collect();
    (!matches!(module[..], ["lib" | "main"]) && !is_test(path)).then_some((name, module))
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

/// Modules whose children still import one another in a cycle. The list may only shrink.
const WITH_CYCLES: &[&str] = &[
    "core::log",
    "server::evidence::case",
    "server::flags::ruleset",
    "server::http",
    "server::http::access",
    "server::http::flags",
    "server::http::session",
    "server::http::wire",
];

#[test]
fn no_modules_import_each_other_in_a_cycle() {
    let mut circles = circles(&draw(&sources(&[".rs"])));
    for parent in WITH_CYCLES {
        let before = circles.len();
        circles.retain(|arrow, _| !arrow.starts_with(&format!("{parent}: ")));
        assert!(circles.len() < before, "remove {parent} from WITH_CYCLES: it has no cycle");
    }
    assert!(
        circles.is_empty(),
        "these imports close a cycle (arrow, a file that imports): {circles:#?}"
    );
}

#[test]
fn finds_a_cycle_in_every_notation() {
    let file = |path: &str, text: &str| (path.to_owned(), text.to_owned());
    let check = |b: &str| {
        let files = [
            file("crates/x/src/lib.rs", "mod a;\nmod b;\nmod c;"),
            file("crates/x/src/a.rs", "use crate::b::B;"),
            file("crates/x/src/b.rs", "mod inner;"),
            file("crates/x/src/b/inner.rs", b),
            file("crates/x/src/c.rs", "use crate::a::A;"),
            file("crates/x/src/b/tests.rs", "use crate::a::A;"),
        ];
        circles(&draw(&files)).len()
    };
    for (code, arrows) in [
        ("use crate::a::A;", 2),
        ("use crate::{\n    x::{Y, Z},\n    a,\n};", 2),
        ("let a = super::super::a::A;", 2),
        ("use crate::c;", 3),
        ("// use crate::a;", 0),
        ("use super::a;", 0),
        ("#[cfg(test)]\nmod tests {\n    use crate::a;\n}", 0),
    ] {
        assert_eq!(check(code), arrows, "{code}");
    }
}
