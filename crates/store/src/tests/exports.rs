//! Tests of pages of decisions, from both ends.

use musette_core::instant::Instant;
use sqlx::AssertSqlSafe;

use super::submissions::{applicant, claim, receipt, recorded, rider, with_terms};
use super::{NOW, on_both, store};
use crate::db::Db;
use crate::{
    ConsentFilter, ConsentPlace, Engine, ExportedConsent, ImportOutcome, ImportedDecision, Store,
};

on_both!(pages_from_both_ends_are_consistent, an_import_adds_only_new_decisions);

fn places(rows: &[ExportedConsent]) -> Vec<(i64, i64)> {
    rows.iter().map(|row| (row.seq, row.position)).collect()
}

async fn pages_from_both_ends_are_consistent(engine: Engine) {
    let (store, _dir) = with_terms(engine).await;
    let all = [(1, true), (2, true), (3, true)];
    for i in 0..4 {
        store.record(&[rider(&store, "r1", &all).await]).await.expect("works");
        let batch = [applicant(&store, &i.to_string(), &all).await];
        let outcome = store.record(&batch).await.expect("works").remove(0);
        if i == 0 {
            claim(&store, &receipt(&recorded(outcome)), "subject-r1").await;
        }
    }
    store.record(&[rider(&store, "r1", &[(3, false)]).await]).await.expect("works");
    let all_people = ConsentFilter::default();
    let one_person = ConsentFilter { user_id: "r1".into(), ..all_people.clone() };
    for (filter, expected) in [(&all_people, 25), (&one_person, 16)] {
        let mut oldest_first = Vec::new();
        let mut after = ConsentPlace::START;
        loop {
            let page = store.consents_after(filter, after, 2).await.expect("reads");
            let Some(last) = page.last() else { break };
            after = last.place();
            oldest_first.extend(page);
        }
        assert_eq!(oldest_first.len(), expected);
        assert!(oldest_first.is_sorted_by_key(ExportedConsent::place));
        let mut newest = Vec::new();
        let mut before =
            ConsentPlace { seq: store.next_submission().await.expect("reads"), position: 0 };
        loop {
            let page = store.consents_before(filter, before, 2, 1000).await.expect("reads");
            let Some(last) = page.last() else { break };
            before = last.place();
            newest.extend(page);
        }
        newest.sort_by_key(ExportedConsent::place);
        assert_eq!(places(&newest), places(&oldest_first));
    }
    let count = async |filter: ConsentFilter| {
        store.consents_after(&filter, ConsentPlace::START, 100).await.expect("reads").len()
    };
    assert_eq!(count(ConsentFilter { term: Some(3), ..all_people.clone() }).await, 9);
    let refused_on = async |term| {
        let filter =
            ConsentFilter { term: Some(term), accepted: Some(false), ..all_people.clone() };
        let seq = store.next_submission().await.expect("reads");
        let end = ConsentPlace { seq, position: 0 };
        store.consents_before(&filter, end, 100, 1000).await.expect("reads").len()
    };
    assert_eq!((refused_on(1).await, refused_on(3).await), (0, 1));
    assert_eq!(count(ConsentFilter { kind: "MARKETING".into(), ..all_people.clone() }).await, 9);
    assert_eq!(count(ConsentFilter { accepted: Some(false), ..all_people.clone() }).await, 1);
    assert_eq!(count(ConsentFilter { since: NOW, ..all_people.clone() }).await, 25);
    assert_eq!(count(ConsentFilter { until: NOW, ..all_people.clone() }).await, 0);
    let withdrawn = ConsentFilter { accepted: Some(false), ..one_person };
    let rows = store.consents_after(&withdrawn, ConsentPlace::START, 9).await.expect("reads");
    assert!(rows[0].accepted_before && rows[0].kind == "MARKETING");
}

fn decision(user: &str, term: i64, accepted: bool, millis: i64) -> ImportedDecision {
    let consented_at = Instant::from_millis(millis);
    ImportedDecision {
        entry_id: super::next_id(),
        user_id: user.into(),
        term,
        accepted,
        consented_at,
        consented_at_text: consented_at.to_string(),
        sha256: super::sha256("a"),
        locale: None,
    }
}

async fn outcomes(store: &Store, decisions: &[ImportedDecision]) -> Vec<ImportOutcome> {
    store.import_decisions(decisions, NOW).await.expect("works")
}

async fn an_import_adds_only_new_decisions(engine: Engine) {
    use ImportOutcome::{AlreadyThere, DecidedSince, Recorded, UnknownUser};
    let (store, _dir) = with_terms(engine).await;
    let file = [
        decision("r1", 1, true, 1000),
        decision("r1", 1, true, 1000),
        decision("r1", 1, false, 2000),
        decision("r2", 1, true, 1000),
        decision("nobody", 1, true, 1000),
        decision("r1", 1, true, 1500),
    ];
    let first = [Recorded, AlreadyThere, Recorded, Recorded, UnknownUser, DecidedSince];
    assert_eq!(outcomes(&store, &file).await, first);
    let again = [AlreadyThere, AlreadyThere, AlreadyThere, AlreadyThere, UnknownUser, DecidedSince];
    assert_eq!(outcomes(&store, &file).await, again);
    // A decision that was made online is newer than any on paper.
    store.record(&[rider(&store, "r2", &[(1, true), (2, true)]).await]).await.expect("works");
    let late = [decision("r2", 1, false, NOW.millis() - 1), decision("r2", 3, true, 1)];
    assert_eq!(outcomes(&store, &late).await, [DecidedSince, Recorded]);
    let rows = store.consents_after(&ConsentFilter::default(), ConsentPlace::START, 100).await;
    let rows = rows.expect("reads");
    let imported: Vec<_> = rows.iter().filter(|row| row.evidence == "imported").collect();
    assert_eq!(imported.len(), 4);
    let pasts = store.past_decisions(&["r1", "r2", "nobody"]).await.expect("reads");
    assert_eq!(pasts.len(), 2);
    let verified = super::evidence::verify(&store, None).await;
    assert!(verified.errors.is_empty(), "{:#?}", verified.errors);
    // Publications have entries too.
    assert_eq!(verified.entries, 4 + 5);
}

/// The cost of a page depends on its size and not on the number of decisions. The statement itself
/// tells SQLite, which has no statistics, where to begin.
#[tokio::test]
async fn a_page_reads_only_its_own_rows_without_sorting() {
    let (store, _dir) = store(Engine::Sqlite).await;
    let Db::Sqlite(pools) = &store.db else { panic!("not SQLite") };
    let by_submissions = ("SEARCH s USING", "");
    for (sql, (begins, by_term)) in [
        (crate::consents::exports::PAGE_FORWARD, by_submissions),
        (crate::consents::exports::PAGE_BACKWARD, by_submissions),
        (crate::consents::exports::PAGE_BACKWARD_ON_TERM, ("SEARCH t USING", "decisions_of_term")),
        (
            crate::consents::exports::PAGE_BACKWARD_REFUSED_ON_TERM,
            ("SEARCH t USING", "decisions_refused_of_term"),
        ),
    ] {
        let explain = AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}"));
        let steps: Vec<(i64, i64, i64, String)> =
            sqlx::query_as(explain).fetch_all(&pools.read).await.expect("a plan");
        let steps: Vec<String> = steps.into_iter().map(|(.., step)| step).collect();
        assert!(steps[0].starts_with(begins), "{steps:#?}");
        assert!(steps.iter().all(|step| !step.contains("TEMP B-TREE")), "{steps:#?}");
        for index in ["decisions_of_term", "decisions_refused_of_term"] {
            let uses_index = steps.iter().any(|step| step.contains(index));
            assert_eq!(uses_index, index == by_term, "{steps:#?}");
        }
    }
}
