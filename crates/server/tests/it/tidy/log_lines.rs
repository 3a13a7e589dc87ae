//! Warnings and errors in the log are documented: each message is in the table of
//! docs/operations.md, and each row of the table is a message in the sources.

use std::collections::BTreeMap;
use std::fs;

use super::{is_test, root, sources};

const DOCUMENT: &str = "docs/operations.md";
const HEADING: &str = "## Log messages\n";
const MACROS: [(&str, &str); 2] = [("tracing::warn!(", "warn"), ("tracing::error!(", "error")];

/// Returns the last string literal of a macro call, which is the message. `code` follows the
/// opening parenthesis.
fn message(code: &str) -> Option<String> {
    let (mut depth, mut literal, mut last) = (1, None::<String>, None);
    let mut characters = code.chars();
    while let Some(character) = characters.next() {
        match (&mut literal, character) {
            (Some(text), '\\') => text.extend(characters.next()),
            (Some(_), '"') => last = literal.take(),
            (Some(text), _) => text.push(character),
            (None, '"') => literal = Some(String::new()),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return last;
        }
    }
    None
}

/// Returns the level and a source file of each message.
fn messages_in_sources() -> BTreeMap<String, (String, String)> {
    let mut messages = BTreeMap::new();
    for (path, text) in sources(&[".rs"]) {
        if !path.starts_with("crates/") || !path.contains("/src/") || is_test(&path) {
            continue;
        }
        for (name, level) in MACROS {
            for (at, _) in text.match_indices(name) {
                let message = message(&text[at + name.len()..]);
                let message = message.unwrap_or_else(|| panic!("{path}: a call without a message"));
                assert!(!message.contains('{'), "{path}: use fields for values: {message}");
                messages.insert(message, (level.to_owned(), path.clone()));
            }
        }
    }
    messages
}

/// Returns the level of each message in the table.
fn messages_in_table() -> BTreeMap<String, String> {
    let text = fs::read_to_string(root().join(DOCUMENT)).expect("the document");
    let (_, section) = text.split_once(HEADING).expect("a section of log messages");
    let section = section.split("\n## ").next().unwrap_or_default();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" | `"));
    rows.map(|(level, rest)| {
        let (message, _) = rest.split_once("` | ").expect("a message in backticks");
        (message.to_owned(), level.to_owned())
    })
    .collect()
}

#[test]
fn documents_every_warning_and_error() {
    let (sources, table) = (messages_in_sources(), messages_in_table());
    assert!(sources.len() > 50, "the calls were not found: {sources:#?}");
    let missing: Vec<_> =
        sources.iter().filter(|(message, _)| !table.contains_key(*message)).collect();
    assert!(missing.is_empty(), "not in the table of {DOCUMENT}: {missing:#?}");
    for (message, level) in &table {
        let source = sources.get(message);
        let (actual, path) = source.unwrap_or_else(|| panic!("not in the sources: {message}"));
        assert_eq!(level, actual, "the level in {path}: {message}");
    }
}

#[test]
fn reads_the_message_of_a_call() {
    for (code, expected) in [
        (r#"error = %error, "a text");"#, Some("a text")),
        (
            r#"name = text("x"), "a \"quoted\" text (with) brackets");"#,
            Some("a \"quoted\" text (with) brackets"),
        ),
        ("count);", None),
    ] {
        assert_eq!(message(code).as_deref(), expected, "{code}");
    }
}
