//! Judges a request, and lists the statuses that a caller could reach instead.

use super::evaluation::{Evaluation, Rules};
use super::fields::{Reason, System};
use super::judge::{Caller, Refusal, Request, Requested, judge_by_table};
use super::lapse::{Settled, settle};
use super::table::Status;
use crate::instant::Instant;

/// Judges a request on an evaluation to which [`settle`](super::settle) was applied. `is_own` says whether
/// the caller made an earlier transition of it.
///
/// # Errors
/// Returns the first rule that the request breaks.
pub fn judge(
    evaluation: &Evaluation,
    caller: &Caller,
    request: &Request,
    is_own: bool,
    rules: Rules,
    at: Instant,
) -> Result<Evaluation, Refusal> {
    judge_by_table(evaluation, caller, request, is_own, rules, at).map_err(
        |refusal| match refusal {
            Refusal::NotAllowed(_) => {
                Refusal::NotAllowed(allowed(evaluation, caller, is_own, rules, at))
            }
            other => other,
        },
    )
}

/// Returns the statuses that a complete request of this caller could reach now by any call. An
/// evaluation whose time to contest has passed meanwhile lapses at the withdrawal.
pub fn allowed(
    evaluation: &Evaluation,
    caller: &Caller,
    is_own: bool,
    rules: Rules,
    at: Instant,
) -> Vec<Status> {
    let calls = Status::ALL.into_iter().map(Requested::To);
    let calls = calls.chain([Requested::Acceptance, Requested::Discussion, Requested::Withdrawal]);
    let reached = calls.filter_map(|requested| {
        let request = complete(requested);
        judge_by_table(evaluation, caller, &request, is_own, rules, at).ok()
    });
    let settled = reached.map(|next| match settle(&next, at) {
        Settled::Final(next) | Settled::Lapsed(next) => next.status,
        Settled::Unchanged => next.status,
    });
    let mut statuses: Vec<Status> = settled.collect();
    statuses.sort_unstable();
    statuses.dedup();
    statuses
}

/// Returns a request that has everything that any row needs.
fn complete(requested: Requested) -> Request {
    let reason = Reason { code: "complete".into(), text: [("en".into(), "text".into())].into() };
    let long = || Some("a text that is long enough".to_owned());
    Request {
        requested,
        version: None,
        figures: None,
        reasons: Some(vec![reason]),
        message: long(),
        statement: long(),
        system: Some(System { name: "complete".into(), version: "1".into() }),
        message_id: String::new(),
    }
}
