//! `people import` of files as spreadsheet programs save them (`testdata/people`).

use std::fs;
use std::path::Path;

use crate::store::{CommandResult, Engine, TestStore};

on_both!(imports_files_of_spreadsheet_programs, refuses_ids_that_look_the_same);

fn file(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/people");
    fs::read(folder.join(name)).expect("the file")
}

fn import(store: &TestStore, bytes: &[u8]) -> CommandResult {
    let file = store.file("people.csv", bytes);
    store.command(&["people", "import", &file])
}

fn imports_files_of_spreadsheet_programs(engine: Engine) {
    let store = TestStore::new(engine);
    for (name, people) in
        [("people-semicolons.csv", 2), ("people-sep-line.csv", 1), ("people-tabs-utf16.csv", 1)]
    {
        let output = import(&store, &file(name)).expect_success();
        assert!(output.starts_with(&format!("added {people} ")), "{name}: {output}");
    }
    let bar = import(&store, b"\"id\"|\"name\"\nr-9|\"Noor | Test\"\n|\n").expect_success();
    assert!(bar.starts_with("added 1 "), "{bar}");
    // The same people in a plain file: each cell has arrived.
    let plain = "id,email,phone,name,market\n\
        r-2001,ines@example.com,+49305550101,Inés Prueba,DE-BE\nr-9,,,Noor | Test,\n";
    let again = import(&store, plain.as_bytes()).expect_success();
    assert!(again.starts_with("added 0 and changed 0 "), "{again}");
}

fn refuses_ids_that_look_the_same(engine: Engine) {
    let store = TestStore::new(engine);
    let refused = |bytes: &[u8]| {
        let ran = import(&store, bytes);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        ran.stdout
    };
    let output = refused(&file("people-invisible.csv"));
    assert!(output.contains("line 3: invalid_value: id"), "{output}");
    for id in ["r\u{200b}1", "ｒ1"] {
        store.command(&["user", "add", "--id", id]).failed(2, "--id: A user ID must have");
    }
    // Other forms of the same e-mail address.
    let output = refused("id,email\na,maria@example.com\nb,ｍaria@exam\u{ad}ple.com\n".as_bytes());
    assert!(output.contains("line 3: conflict"), "{output}");
    let output = refused("id,name\na,Mar\u{200e}ía\nb,\u{200b}\n".as_bytes());
    assert!(output.contains("line 3") && !output.contains("line 2"), "{output}");
}
