//! Rules of style that a test can check. Each list of exceptions may only shrink: an entry that is
//! no longer needed fails too.

mod imports;
mod log_lines;
mod permissions;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const LINES_MAX: usize = 400;
/// `path`: the reason why the file may be longer.
const LONG: [(&str, &str); 0] = [];
/// A folder or file with a generic name says nothing about its content.
const GENERIC_NAMES: [&str; 7] = ["utils", "util", "common", "helpers", "helper", "misc", "types"];
const GENERICALLY_NAMED: [(&str, &str); 1] =
    [("crates/store/migrations/common", "what both dialects have in common")];
/// Files of other projects, or generated ones.
const SKIPPED: [&str; 10] = [
    "target",
    "node_modules",
    "dist",
    "data",
    "test-results",
    "playwright-report",
    ".git",
    "fixtures",
    "coverage",
    "blob-report",
];

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns every file and folder of the repository by its path from the root.
fn everything() -> Vec<(String, bool)> {
    let root = root();
    let mut entries = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder)).expect("a folder") {
            let entry = entry.expect("an entry");
            let name = entry.file_name().into_string().expect("UTF-8");
            let kind = entry.file_type().expect("a kind");
            if SKIPPED.contains(&name.as_str()) || kind.is_symlink() {
                continue;
            }
            let path = folder.join(&name);
            entries.push((path.to_string_lossy().into_owned(), kind.is_dir()));
            if kind.is_dir() {
                folders.push(path);
            }
        }
    }
    assert!(entries.len() > 200, "this is not the repository");
    entries
}

/// Returns the source files with one of these endings, and their text.
fn sources(endings: &[&str]) -> Vec<(String, String)> {
    let ours = |path: &str| endings.iter().any(|ending| path.ends_with(ending));
    let files = everything().into_iter().filter(|(path, is_folder)| !is_folder && ours(path));
    files
        .map(|(path, _)| {
            let text = fs::read_to_string(root().join(&path)).expect("UTF-8");
            (path, text)
        })
        .collect()
}

fn is_test(path: &str) -> bool {
    path.contains(".test.")
        || path.contains(".bench.")
        || path.ends_with("/tests.rs")
        || path.ends_with("_tests.rs")
        || path.contains("/tests/")
        || path.contains("_tests/")
        || path.starts_with("e2e/")
}

/// Counts the lines up to the tests at the end of a Rust file.
fn lines_without_tests(text: &str) -> usize {
    let tests = text.find("#[cfg(test)]\nmod tests {");
    text[..tests.unwrap_or(text.len())].lines().count()
}

/// Checks that the files that break a rule are exactly the exceptions.
#[track_caller]
fn assert_only(broken: BTreeSet<String>, exceptions: &[(&str, &str)], rule: &str) {
    let excepted: BTreeSet<String> =
        exceptions.iter().map(|(path, _)| (*path).to_owned()).collect();
    let new: Vec<_> = broken.difference(&excepted).collect();
    assert!(new.is_empty(), "{rule}: {new:#?}");
    let unneeded: Vec<_> = excepted.difference(&broken).collect();
    assert!(unneeded.is_empty(), "no exception is needed any more: {unneeded:#?}");
}

#[test]
fn files_are_short() {
    let long = sources(&[".rs", ".ts", ".tsx"])
        .into_iter()
        .filter(|(path, text)| {
            // Generated files say so in their first lines. A test guards them instead.
            let is_generated = path.contains("/generated/")
                || text.lines().take(3).any(|line| line.contains("auto-generated"));
            !is_test(path) && !is_generated && lines_without_tests(text) > LINES_MAX
        })
        .map(|(path, _)| path);
    assert_only(long.collect(), &LONG, "longer than 400 lines without tests");
}

#[test]
fn no_file_has_a_generic_name() {
    let drawers = everything().into_iter().map(|(path, _)| path).filter(|path| {
        let name = path.rsplit('/').next().unwrap_or_default();
        let stem = name.split('.').next().unwrap_or_default();
        GENERIC_NAMES.contains(&stem)
    });
    assert_only(drawers.collect(), &GENERICALLY_NAMED, "name it by its content");
}

/// A summary must be understandable without the item above it, because lists show it separately.
#[test]
fn no_documentation_begins_with_a_fragment() {
    let fragments = ["Of ", "As ", "The same "];
    let summary = |line: &str| -> Option<String> {
        let line = line.trim_start();
        let text = ["/// ", "//! ", "/** "].iter().find_map(|start| line.strip_prefix(start));
        text.map(str::to_owned)
    };
    let mut offenders = Vec::new();
    for (path, text) in sources(&[".rs", ".ts", ".tsx"]) {
        let is_generated = text.lines().take(3).any(|line| line.contains("auto-generated"));
        let is_published = path.starts_with("crates/") || path.starts_with("packages/");
        let is_for_tests = path.contains("/testing/") || path.contains("/fixture/");
        if !is_published || is_for_tests || is_test(&path) || is_generated {
            continue;
        }
        let mut was_summary = false;
        for line in text.lines() {
            let summary = summary(line);
            let begins = summary.as_deref().filter(|_| !was_summary);
            if begins
                .is_some_and(|text| fragments.iter().any(|fragment| text.starts_with(fragment)))
            {
                offenders.push(format!("{path}: {}", line.trim()));
            }
            // Only the first line of a block counts. A later line continues a sentence.
            was_summary = summary.is_some() && !line.trim_start().starts_with("/**");
        }
    }
    assert!(offenders.is_empty(), "begin with what the item is or does: {offenders:#?}");
}

#[test]
fn no_file_has_a_deferred_task() {
    // In parts, so that this file does not match itself.
    let marks = [["TO", "DO"], ["FIX", "ME"], ["XX", "X"]].map(|parts| parts.concat());
    let endings = [
        ".rs", ".ts", ".tsx", ".css", ".html", ".js", ".mjs", ".py", ".sql", ".toml", ".md",
        ".json", "Makefile",
    ];
    let is_word = |text: &str, mark: &str| {
        text.match_indices(mark).any(|(at, _)| {
            let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
            let (before, after) = (&text[..at], &text[at + mark.len()..]);
            !is_letter(before.chars().next_back()) && !is_letter(after.chars().next())
        })
    };
    let put_off = sources(&endings)
        .into_iter()
        .filter(|(path, text)| {
            path != "package-lock.json" && marks.iter().any(|mark| is_word(text, mark))
        })
        .map(|(path, _)| path);
    assert_only(put_off.collect(), &[], "do it now, or write an issue");
}

#[test]
fn no_file_has_debugging_code() {
    let prints = sources(&[".rs", ".ts", ".tsx"]).into_iter().filter(|(path, text)| {
        let forbidden: &[&str] = if path.starts_with("crates/server/src/command")
            || path.starts_with("e2e/")
            || path.starts_with("tools/")
            || path.starts_with("bench/")
            || path.contains("/benches/")
            || path.contains("/examples/")
        {
            // Commands print their output.
            &["dbg!("]
        } else {
            &["dbg!(", "println!(", "console.log("]
        };
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        !is_test(path) && forbidden.iter().any(|print| code.contains(print))
    });
    let exceptions = [("crates/server/build.rs", "this is how a build script talks to cargo")];
    assert_only(prints.map(|(path, _)| path).collect(), &exceptions, "a print was left behind");
}

#[test]
fn the_plan_lists_every_top_folder() {
    let plan = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let unnamed = everything().into_iter().filter(|(path, is_folder)| {
        let is_named = plan.contains(&format!("`{path}`")) || plan.contains(&format!("`{path}/"));
        *is_folder && !path.contains('/') && !path.starts_with('.') && !is_named
    });
    let unnamed = unnamed.map(|(path, _)| path).collect();
    assert_only(unnamed, &[], "ARCHITECTURE.md does not name this folder");
}

/// `http/router.rs` lists every route. The flag service has its own routing
/// (docs/decisions/0007), which the document of the API lists.
#[test]
fn only_the_router_lists_routes() {
    let with_routes = sources(&[".rs"]).into_iter().filter(|(path, text)| {
        let has_routes = ["Router::new(", "routes!(", ".route(", "enum Route"]
            .iter()
            .any(|pattern| text.contains(pattern));
        path.starts_with("crates/server/src/") && has_routes
    });
    let exceptions = [
        ("crates/server/src/http/flags/route.rs", "the flag service bypasses the router"),
        ("crates/server/src/http/router.rs", "lists the routes"),
    ];
    let with_routes = with_routes.map(|(path, _)| path).collect();
    assert_only(with_routes, &exceptions, "list the route in http/router.rs");
}

/// State and background tasks do not depend on HTTP. Only the code that builds and serves the
/// router imports it.
#[test]
fn only_the_router_setup_imports_http() {
    let importing = sources(&[".rs"]).into_iter().filter(|(path, text)| {
        let room = path.strip_prefix("crates/server/src/").unwrap_or("http/");
        !room.starts_with("http") && text.contains("crate::http")
    });
    let exceptions = [
        ("crates/server/src/command.rs", "prints the API document"),
        ("crates/server/src/command/serve.rs", "composes the router"),
        ("crates/server/src/command/serve/part.rs", "serves the router"),
        ("crates/server/src/command/log/watch.rs", "serves its metrics"),
        ("crates/server/src/command/witness.rs", "serves the interface of a witness"),
        ("crates/server/src/lib.rs", "lends the JSON reader to the fuzz targets"),
    ];
    let importing = importing.map(|(path, _)| path).collect();
    assert_only(importing, &exceptions, "a room outside http imports it");
}

/// A Rust file that no module declares is never compiled, so its tests never run.
#[test]
fn every_rust_file_is_compiled() {
    let files: BTreeMap<_, _> = sources(&[".rs"]).into_iter().collect();
    let is_part = |path: &str| path.contains("/src/") || path.contains("/tests/it/");
    let is_root = |name: &str| matches!(name, "main" | "lib");
    let unnamed = files.keys().filter(|path| is_part(path)).filter(|path| {
        let (folder, name) = path.trim_end_matches(".rs").rsplit_once('/').expect("a folder");
        let parents =
            [format!("{folder}.rs"), format!("{folder}/main.rs"), format!("{folder}/lib.rs")];
        let named = format!("mod {name};");
        let mut texts = parents.iter().filter_map(|parent| files.get(parent));
        !is_root(name) && !texts.any(|text| text.contains(&named))
    });
    assert_only(unnamed.cloned().collect(), &[], "name it in its parent, or delete it");
}

/// `docs/security-checks.md` and `docs/field-reports.md` name tests as `file#test`. A check needs an existing test.
#[test]
fn every_security_check_has_a_test() {
    let page = fs::read_to_string(root().join("docs/security-checks.md")).expect("the page");
    let rows = page.lines().filter(|line| {
        let first = line.trim_start_matches("| ").split(' ').next().unwrap_or_default();
        line.starts_with("| ") && first.parse::<u32>().is_ok()
    });
    let numbers: Vec<_> = rows.clone().filter_map(|row| row.split(' ').nth(1)).collect();
    let expected: Vec<_> = (1..=44).map(|number| number.to_string()).collect();
    assert_eq!(numbers, expected, "a row is missing");
    let files = sources(&[".rs", ".ts", ".tsx", ".mjs", ".py"]);
    let is_shown = |named: &str| {
        let Some((file, test)) = named.split_once('#') else { return false };
        files.iter().any(|(path, text)| {
            let is_there = if path.ends_with(".rs") {
                text.contains(&format!("fn {test}("))
            } else {
                text.contains(test)
            };
            (path == file || path.ends_with(&format!("/{file}"))) && is_there
        })
    };
    let named = |text: &str| -> Vec<String> {
        let quoted = text.split('`').skip(1).step_by(2).map(str::to_owned);
        quoted.filter(|name| name.contains('#') && name != "file#test").collect()
    };
    for row in rows {
        assert!(!named(row).is_empty(), "no test shows: {row}");
    }
    let reports = fs::read_to_string(root().join("docs/field-reports.md")).expect("the page");
    let all = [named(&page), named(&reports)].concat();
    let missing: Vec<_> = all.into_iter().filter(|name| !is_shown(name)).collect();
    assert!(missing.is_empty(), "these tests are not there: {missing:#?}");
}

/// `docs/glossary.md` lists the name of each concept in each layer.
#[test]
fn every_name_in_the_glossary_is_used() {
    let page = fs::read_to_string(root().join("docs/glossary.md")).expect("the page");
    let text = |endings: &[&str], folders: &[&str]| -> String {
        let is_of = |path: &str| folders.iter().any(|folder| path.starts_with(folder));
        let files = sources(endings).into_iter().filter(|(path, _)| is_of(path) && !is_test(path));
        files.map(|(_, text)| text).collect()
    };
    let schema = text(&["flags-1.json"], &["crates/"]);
    let layers = BTreeMap::from([
        ("Rust", text(&[".rs"], &["crates/"])),
        ("SQL", text(&[".sql"], &["crates/store/migrations/"])),
        ("JSON", text(&["openapi.json"], &["openapi.json"]) + &schema),
        ("TypeScript", text(&[".ts", ".tsx"], &["packages/", "apps/"])),
    ]);
    let (mut names, mut missing) = (0, Vec::new());
    let mut head: Vec<&str> = Vec::new();
    for line in page.lines() {
        let Some(row) = line.strip_prefix("| ") else {
            if !line.starts_with("|-") {
                head.clear();
            }
            continue;
        };
        let cells: Vec<_> = row.trim_end_matches(" |").split(" | ").collect();
        if head.is_empty() {
            head = cells;
            continue;
        }
        assert_eq!(cells.len(), head.len(), "{line}");
        for (layer, cell) in head.iter().zip(&cells) {
            let Some(text) = layers.get(layer) else { continue };
            for name in cell.split('`').skip(1).step_by(2) {
                names += 1;
                let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
                let is_whole = |(at, _): (usize, &str)| {
                    !is_word(text[..at].chars().next_back())
                        && !is_word(text[at + name.len()..].chars().next())
                };
                if !text.match_indices(name).any(is_whole) {
                    missing.push(format!("{layer}: {name}, in {line}"));
                }
            }
        }
    }
    assert!(names > 100, "this is not the glossary: {names} names");
    assert!(missing.is_empty(), "nothing is called so any more: {missing:#?}");
}

#[test]
fn every_file_in_the_guides_exists() {
    let endings = [".rs", ".ts", ".tsx", ".mjs", ".json"];
    for (guide, count_min) in [("ARCHITECTURE.md", 30), ("CONTRIBUTING.md", 8)] {
        let page = fs::read_to_string(root().join(guide)).expect("a guide");
        let named = page.split('`').skip(1).step_by(2).filter(|path| {
            let is_path = path.contains('/') && !path.contains(' ');
            is_path && endings.iter().any(|ending| path.ends_with(ending))
        });
        let named: Vec<_> = named.collect();
        assert!(named.len() >= count_min, "{guide} names {} files", named.len());
        let missing: Vec<_> =
            named.into_iter().filter(|path| !root().join(path).is_file()).collect();
        assert!(missing.is_empty(), "{guide} names files that do not exist: {missing:#?}");
    }
}
