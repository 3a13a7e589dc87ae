//! The commands in the documentation: the program has their subcommands, options and values.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::store::{Engine, TestStore};
use crate::tidy::root;

/// Subcommands of the program, from its help.
fn subcommands(store: &TestStore) -> BTreeSet<String> {
    let help = store.command(&["--help"]).expect_success();
    let (_, commands) = help.split_once("Commands:\n").expect("a list");
    let lines = commands.lines().take_while(|line| !line.is_empty());
    lines.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

fn pages(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    let pages = entries.flat_map(|entry| {
        let is_folder = entry.file_type().expect("a type").is_dir();
        if is_folder { pages(&entry.path()) } else { vec![entry.path()] }
    });
    pages.filter(|path| path.extension().is_some_and(|end| end == "md")).collect()
}

/// Returns the lines of all shell blocks and systemd units of a page. Continued lines are one.
fn shell_lines(page: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut is_shell = false;
    for line in page.replace("\\\n", " ").lines() {
        match line.trim().strip_prefix("```") {
            Some(language) => is_shell = ["sh", "ini"].contains(&language),
            None if is_shell => lines.push(line.to_owned()),
            None => {}
        }
    }
    lines
}

/// Returns the words of each call of the program in a line of shell.
fn calls(line: &str, subcommands: &BTreeSet<String>) -> Vec<Vec<String>> {
    let starts = line.match_indices("musette ").filter(|(at, _)| {
        let before = line[..*at].chars().next_back();
        before.is_none_or(|before| matches!(before, ' ' | '(' | '/'))
    });
    let words = starts.map(|(at, name)| words(&line[at + name.len()..]));
    words.filter(|words| words.first().is_some_and(|word| subcommands.contains(word))).collect()
}

/// Splits the text at spaces, up to the end of the simple command.
fn words(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    for character in text.chars() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (None, '"' | '\'') => quote = Some(character),
            (None, '|' | '>' | '#' | ')' | '&' | ';') => break,
            (None, ' ') => words.push(std::mem::take(&mut word)),
            _ => word.push(character),
        }
    }
    words.push(word);
    // `…` means further options.
    words.retain(|word| !word.is_empty() && word != "…");
    // The settings file of the package exists only where the package is installed.
    if let Some(at) = words.iter().position(|word| word == "--config") {
        words.drain(at..(at + 2).min(words.len()));
    }
    words
}

/// With `--help` the program checks all options and values before it, and does nothing.
#[test]
fn the_documentation_calls_the_program_as_it_is() {
    let store = TestStore::missing(Engine::Sqlite);
    let subcommands = subcommands(&store);
    let pages: Vec<PathBuf> = [
        pages(&root().join("docs")),
        ["README.md", "deploy/README.md"].map(|page| root().join(page)).to_vec(),
    ]
    .concat();
    let (mut count, mut wrong) = (0, Vec::new());
    for page in pages {
        let text = fs::read_to_string(&page).expect("a page");
        let lines = shell_lines(&text);
        for call in lines.iter().flat_map(|line| calls(line, &subcommands)) {
            let args: Vec<&str> = call.iter().map(String::as_str).chain(["--help"]).collect();
            let result = store.command(&args);
            count += 1;
            if result.code != Some(0) {
                wrong.push(format!("{}: {}: {}", page.display(), call.join(" "), result.stderr));
            }
        }
    }
    assert!(count > 50, "{count}");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn imports_the_table_of_people_in_the_documentation() {
    let page = fs::read_to_string(root().join("docs/markets.md")).expect("a page");
    let (_, table) = page.split_once("```csv\n").expect("a table");
    let (table, _) = table.split_once("```").expect("its end");
    let store = TestStore::new(Engine::Sqlite);
    store.command(&["market", "add", "DE-BE.berlin", "--name", "Berlin"]).expect_success();
    let file = store.file("people.csv", table.as_bytes());
    let imported = store.command(&["people", "import", &file]).expect_success();
    assert!(imported.starts_with("added 1 "), "{imported}");
}

#[test]
fn finds_the_calls_in_a_line() {
    let subcommands = BTreeSet::from(["user".to_owned(), "token".to_owned()]);
    let of = |line: &str| calls(line, &subcommands);
    assert_eq!(of("install -o musette -g musette /x"), Vec::<Vec<String>>::new());
    assert_eq!(
        of(r#"A=$(bin/musette token issue --user "a b" | jq -r .x) && musette user add # one"#),
        [vec!["token", "issue", "--user", "a b"], vec!["user", "add"]]
    );
}
