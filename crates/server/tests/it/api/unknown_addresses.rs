//! An address below one of the API's is never answered with a page of an application.

use crate::app::TestApp;
use crate::store::{Engine, TestStore};

on_both!(answers_unknown_addresses_of_the_api_with_a_problem);

fn answers_unknown_addresses_of_the_api_with_a_problem(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine));
    let document = app.get("/openapi.json").gives(200).json();
    let paths = document["paths"].as_object().expect("paths");
    assert!(paths.len() > 100);
    for path in paths.keys().map(|path| path.replace(['{', '}'], "")) {
        for address in [format!("{path}/"), format!("{path}/unknown/address")] {
            let response = app.get(&address).header("accept", "text/html,*/*;q=0.8").send();
            let is_page = response.header("content-type").starts_with("text/html");
            assert!(!is_page && response.status != 200, "{address}: {}", response.status);
        }
    }
}
