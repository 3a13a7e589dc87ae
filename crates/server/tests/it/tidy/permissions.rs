//! Permissions are checked by the extractor in a handler's signature: `http/access/permission` and
//! `http/access/caller.rs`. Some depend on the body or on a stored object. This test lists their
//! places; no other may be added.

use std::collections::BTreeMap;

use super::{is_test, sources};

const HTTP: &str = "crates/server/src/http/";
/// Files that contain the extractors, or the error itself.
const EXTRACTORS: [&str; 3] = ["access/permission", "access/caller.rs", "wire/problem.rs"];
/// The number of refusals outside the extractors, by file. A number may only shrink.
const OUTSIDE: &[(&str, usize)] = &[
    ("access/approvals.rs", 1),
    ("access/approvals/votes.rs", 1),
    ("access/proposals.rs", 3),
    ("access/proposals/act.rs", 3),
    ("campaigns.rs", 1),
    ("campaigns/people.rs", 1),
    ("consents/submission.rs", 1),
    ("decisions/batch.rs", 1),
    ("decisions/evaluations.rs", 4),
    ("decisions/excusals.rs", 3),
    ("decisions/receipts.rs", 1),
    ("decisions/report.rs", 1),
    ("decisions/requests.rs", 1),
    ("decisions/restrictions/console.rs", 2),
    ("decisions/restrictions/list.rs", 1),
    ("decisions/restrictions/written.rs", 1),
    ("evidence/receipts.rs", 1),
    ("flags/console.rs", 1),
    ("markets/console.rs", 1),
    ("notices/console.rs", 1),
    ("people.rs", 3),
    ("people/import.rs", 2),
    ("terms/console.rs", 1),
    ("terms/coverage.rs", 3),
    ("terms/standing.rs", 1),
];

#[test]
fn only_listed_files_refuse_a_caller_outside_an_extractor() {
    let outside: BTreeMap<String, usize> = sources(&[".rs"])
        .into_iter()
        .filter(|(path, _)| !is_test(path))
        .filter_map(|(path, text)| {
            let file = path.strip_prefix(HTTP)?.to_owned();
            let is_extractor = EXTRACTORS.iter().any(|extractor| file.starts_with(extractor));
            let count = text.matches("denied_to(").count();
            (!is_extractor && count > 0).then_some((file, count))
        })
        .collect();
    let listed: BTreeMap<String, usize> =
        OUTSIDE.iter().map(|(file, count)| ((*file).to_owned(), *count)).collect();
    assert_eq!(outside, listed, "use an extractor of http/access/permission, or shrink the list");
}
