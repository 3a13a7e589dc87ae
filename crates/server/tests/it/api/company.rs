//! The company's name and logo in the rider app.

use std::sync::Arc;

use crate::app::{Start, TestApp};
use crate::store::{Engine, TestStore};

const LOGO: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8"/></svg>"#;

fn start(store: TestStore, args: &[&str]) -> TestApp {
    TestApp::serve_with(&Arc::new(store), Start { args, ..Start::default() })
}

#[test]
fn writes_the_company_into_the_page_and_serves_its_logo() {
    let store = TestStore::new(Engine::Sqlite);
    let file = store.path("logo.svg");
    std::fs::write(&file, LOGO).expect("a file");
    let file = file.to_string_lossy().into_owned();
    let args = ["--company-name", r#"Larkspur & "Sons" <Couriers>"#, "--company-logo", &file];
    let app = start(store, &args);
    for path in ["/", "/apply"] {
        let answer = app.get(path).header("accept", "text/html").gives(200);
        let page = String::from_utf8(answer.body).expect("UTF-8");
        let name = r#"<meta name="musette-company-name" content="Larkspur &amp; &quot;Sons&quot; &lt;Couriers>">"#;
        assert!(page.contains(name), "{path}: {page}");
        let (_, rest) =
            page.split_once(r#"<meta name="musette-company-logo" content=""#).expect("a logo");
        let (path, _) = rest.split_once('"').expect("its end");
        let logo = app.get(path).gives(200);
        assert_eq!(logo.header("content-type"), "image/svg+xml");
        assert!(logo.header("content-security-policy").contains("sandbox"));
        assert_eq!(logo.body, LOGO.as_bytes());
    }
}

#[test]
fn writes_no_company_into_the_page_without_the_settings() {
    let app = start(TestStore::new(Engine::Sqlite), &[]);
    let answer = app.get("/").header("accept", "text/html").gives(200);
    assert!(!String::from_utf8(answer.body).expect("UTF-8").contains("musette-company"));
}

#[test]
fn refuses_to_start_with_an_invalid_name_or_logo() {
    let store = TestStore::new(Engine::Sqlite);
    let file = store.path("logo.txt");
    std::fs::write(&file, "no image").expect("a file");
    let file = file.to_string_lossy().into_owned();
    for (option, value) in [
        ("--company-name", " "),
        ("--company-logo", &*file),
        ("--company-logo", "/nowhere/logo.png"),
    ] {
        store.command(&["serve", "--listen", "127.0.0.1:0", option, value]).failed(2, option);
    }
}
