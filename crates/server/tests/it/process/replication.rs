//! Synchronous replication without a standby, and commits that are cancelled while they wait for
//! it. The server of `tools/with-postgres` names a standby that does not exist, and waits for it
//! only in the databases that request it.

use std::sync::Arc;

use crate::app::{Start, TestApp};
use crate::request::{Answer, Request};
use crate::session::waiting_writes::Writes;
use crate::store::{Engine, TestStore};
use crate::until::until;
use crate::wire::{SUBMIT, V3, accept, applicant};

struct Prepared {
    app: TestApp,
    term: i64,
}

fn prepared() -> Prepared {
    let store = Arc::new(TestStore::new(Engine::Postgres));
    let term = store.term("FREELANCER", &[]);
    let app = TestApp::serve_with(&store, Start::default());
    Prepared { app, term }
}

impl Prepared {
    fn submit(&self, key: &str) -> Request {
        let key = format!("{key}-of-somebody-without-session");
        self.app
            .post(SUBMIT)
            .header("idempotency-key", &key)
            .json(&applicant(&accept(&[self.term])))
    }

    fn is_ready(&self) -> bool {
        self.app.get("/readyz").send().status == 200
    }

    fn metric(&self, name: &str) -> f64 {
        let text = self.app.metrics();
        let line = text.lines().find_map(|line| line.strip_prefix(&format!("{name} ")));
        line.map_or(0.0, |value| value.parse().expect("a number"))
    }

    /// Checks that a submission without a response is recorded and is not recorded again.
    #[track_caller]
    fn replays(&self, key: &str) {
        let mut answer = self.submit(key).send();
        until("it is recorded", || {
            if answer.status != 201 {
                assert_waits(&answer);
                answer = self.submit(key).send();
            }
            answer.status == 201
        });
        assert_eq!(answer.header("idempotency-replayed"), "true");
    }
}

#[track_caller]
fn assert_waits(answer: &Answer) {
    assert!([409, 503].contains(&answer.status), "{answer:?}");
    assert!(answer.header("retry-after").parse::<u64>().is_ok(), "{answer:?}");
}

#[test]
fn acknowledges_nothing_that_no_standby_has() {
    let (prepared, others) = (prepared(), Writes::prepare());
    let store = prepared.app.store();
    others.store().wait_for_standby();
    others.are_answered();
    store.wait_for_standby();
    std::thread::scope(|scope| {
        let cancelled = scope.spawn(|| prepared.submit("cancelled").send());
        // PostgreSQL answers such a commit with success and a warning.
        until("the waiting commit is cancelled", || {
            store.cancel_waiting("COMMIT");
            let log = std::fs::read_to_string(store.path("serve.log")).expect("a log");
            log.contains("it is confirmed by another commit")
        });
        let behind = scope.spawn(|| prepared.submit("behind").send());
        until("it is not ready", || {
            let answer = prepared.app.get("/readyz").send();
            answer.status == 503 && answer.json()["detail"].to_string().contains("standby")
        });
        until("the metrics say so", || {
            prepared.metric("musette_replication_wait_seconds") > 1.0
                && prepared.metric("musette_submission_batch_age_seconds") > 1.0
        });
        for submitted in [cancelled, behind] {
            let answer = submitted.join().expect("it is answered");
            assert_eq!(answer.status, 503, "{answer:?}");
            assert!(answer.json()["detail"].to_string().contains("cannot tell"), "{answer:?}");
            assert_waits(&answer);
        }
    });
    // The writes continue, so the keys are neither free nor blocked.
    for key in ["cancelled", "behind"] {
        let again = prepared.submit(key).refused(503, "unavailable");
        assert_waits(&again);
    }
    prepared.app.get(&format!("{V3}/public/terms")).gives(200);

    store.stop_waiting_for_standby();
    others.are_done();
    prepared.replays("cancelled");
    prepared.replays("behind");
    assert_eq!(prepared.app.export(&[]).len(), 2);
    until("it is ready", || prepared.is_ready());
    assert!(prepared.metric("musette_submission_batch_size_count") >= 2.0);
}
