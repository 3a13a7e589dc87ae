//! `…/approvals` and `…/rejections` of drafts of terms and of changes of flags.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use musette_store::{
    NewVote, PROPOSAL_VOTES, Proposal, RESTRICTIONS_SUBJECT, TermDraft, VoteOutcome,
};
use serde::Deserialize;

use super::{FLAGS, TERMS, hash_of};
use crate::access::service_keys::with_makers;
use crate::http::access::audit::{audit_action, event_about};
use crate::http::access::caller::Caller;
use crate::http::access::permission::{ManageFlags, ManageTerms, May};
use crate::http::access::proposals::MayOfProposal;
use crate::http::flags::console::{found as found_change, open_hash};
use crate::http::terms::drafts::{DraftBody, MayOfDraft};
use crate::http::wire::body::Body;
use crate::http::wire::parameters::{ChangePath, DraftPath, ProposalPath};
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::node::app::App;

/// The version to approve.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct NewApprovalBody {
    /// The `sha256` of the draft or change that the reviewer has read. Only this version is
    /// approved.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    sha256: String,
}

/// A rejection.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct NewRejectionBody {
    /// The requested changes: 1 to 1000 characters.
    #[schema(min_length = 1, max_length = 1000)]
    comment: String,
}

/// The current version of the object to vote on.
pub struct VoteObject {
    kind: &'static str,
    id: String,
    scope: String,
    sha256: String,
    /// The subjects of its authors, and of the people who created the service keys that edited it.
    editors: Vec<String>,
    /// The revision of the draft. Always 0 for a change of flags, which cannot be edited.
    revision: i64,
}

/// Returns the error for an object that has changed or is decided.
pub fn outdated() -> Problem {
    let detail = "It has changed since you read it. Read it again.";
    Problem::new(StatusCode::CONFLICT, "conflict", detail)
}

async fn draft(app: &App, draft: TermDraft, body: &DraftBody) -> Result<VoteObject, Problem> {
    Ok(VoteObject {
        kind: TERMS,
        scope: body.kind.clone(),
        sha256: hash_of(&body.to_text()),
        editors: with_makers(&app.store, app.store.draft_editors(&draft.id).await?).await?,
        revision: draft.revision,
        id: draft.id,
    })
}

async fn change(app: &App, environment: String, id: String) -> Result<VoteObject, Problem> {
    let change = found_change(app, &environment, &id).await?;
    let sha256 = open_hash(&change)?;
    let editors = with_makers(&app.store, change.subject.into_iter().collect()).await?;
    Ok(VoteObject { kind: FLAGS, id, scope: environment, sha256, editors, revision: 0 })
}

async fn proposal(app: &App, proposal: Proposal, sha256: String) -> Result<VoteObject, Problem> {
    Ok(VoteObject {
        kind: PROPOSAL_VOTES,
        scope: format!("{} {}", proposal.kind, proposal.scope),
        sha256,
        editors: with_makers(&app.store, vec![proposal.subject]).await?,
        revision: 0,
        id: proposal.id,
    })
}

fn own_change(detail: &str) -> Problem {
    Problem::new(StatusCode::FORBIDDEN, "own_change", detail)
}

impl VoteObject {
    /// Returns a proposed restriction, which cannot be edited.
    pub fn of_restriction(id: String, scope: String, sha256: String, editors: Vec<String>) -> Self {
        Self { kind: RESTRICTIONS_SUBJECT, id, scope, sha256, editors, revision: 0 }
    }

    /// Approves the object.
    pub async fn approve(
        self,
        app: &App,
        by: &Caller,
        body: NewApprovalBody,
    ) -> Result<Response, Problem> {
        // Approvals name people, and a service key is not a person.
        if by.is_service {
            return Err(Problem::denied_to(&by.subject));
        }
        if self.editors.contains(&by.subject) {
            return Err(own_change("Authors cannot approve their own changes."));
        }
        if body.sha256 != self.sha256 {
            return Err(outdated());
        }
        let outcome = app.store.approve(&self.vote(by), &self.sha256, app.now()).await?;
        match outcome {
            VoteOutcome::Approved => {
                let event = event_about("change_approved", self.named());
                audit_action(app, &by.subject, event).await;
            }
            VoteOutcome::Repeated => {}
            VoteOutcome::Changed => return Err(outdated()),
            VoteOutcome::NotIndependent => {
                return Err(own_change(
                    "Your account is not independent of an author's account: one of them created the other, created its sign-in link or changed its address, or an admin reset one of them after this change was started.",
                ));
            }
        }
        Ok(StatusCode::NO_CONTENT.into_response())
    }

    /// Withdraws the caller's approval of the object.
    pub async fn withdraw(self, app: &App, by: &Caller) -> Result<Response, Problem> {
        let withdrawn = app.store.withdraw_approval(&self.vote(by)).await?;
        if withdrawn.ok_or_else(outdated)? {
            let event = event_about("approval_withdrawn", self.named());
            audit_action(app, &by.subject, event).await;
        }
        Ok(StatusCode::NO_CONTENT.into_response())
    }

    async fn reject(
        self,
        app: &App,
        by: &Caller,
        body: NewRejectionBody,
    ) -> Result<Response, Problem> {
        let chars = body.comment.chars().count();
        if !(1..=1000).contains(&chars) || body.comment.trim().is_empty() {
            let detail = "'comment' must have 1 to 1000 characters.";
            return Err(Problem::invalid("invalid_request", detail, Vec::new()));
        }
        if !app.store.reject(&self.vote(by), &body.comment, app.now()).await? {
            return Err(outdated());
        }
        let detail = format!("{}: {}", self.named(), body.comment);
        audit_action(app, &by.subject, event_about("change_rejected", detail)).await;
        Ok(StatusCode::NO_CONTENT.into_response())
    }

    fn vote<'a>(&'a self, by: &'a Caller) -> NewVote<'a> {
        let Self { kind, id, scope, revision, .. } = self;
        NewVote { kind, object: id, scope, by: &by.subject, revision: *revision }
    }

    fn named(&self) -> String {
        format!("{} {} {}", self.kind, self.scope, self.id)
    }
}

/// Approve a draft in its current version.
///
/// A later edit invalidates all approvals. A repeated approval counts once.
///
/// - 403 `own_change`: the caller has edited the draft, or is not independent of an author.
/// - 409 `conflict`: the draft has changed, so its hash differs.
#[utoipa::path(
    post, path = "/api/admin/v1/term-drafts/{id}/approvals", tag = "admin-terms",
    params(DraftPath), request_body = NewApprovalBody,
    responses((status = 204), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_terms"]))
)]
pub async fn approve_draft(
    State(app): State<Arc<App>>,
    MayOfDraft { caller, draft: row, body: current, .. }: MayOfDraft<ManageTerms>,
    Body(body): Body<NewApprovalBody>,
) -> Result<Response, Problem> {
    draft(&app, row, &current).await?.approve(&app, &caller, body).await
}

/// Withdraw the caller's approval of a draft.
///
/// A retry is safe.
#[utoipa::path(
    delete, path = "/api/admin/v1/term-drafts/{id}/approvals", tag = "admin-terms",
    params(DraftPath),
    responses((status = 204), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_terms"]))
)]
pub async fn withdraw_from_draft(
    State(app): State<Arc<App>>,
    MayOfDraft { caller, draft: row, body: current, .. }: MayOfDraft<ManageTerms>,
) -> Result<Response, Problem> {
    draft(&app, row, &current).await?.withdraw(&app, &caller).await
}

/// Reject a draft with a comment.
///
/// All approvals become invalid. The draft shows the comment until the next edit.
///
/// - 422 `invalid_request`: the comment is missing.
#[utoipa::path(
    post, path = "/api/admin/v1/term-drafts/{id}/rejections", tag = "admin-terms",
    params(DraftPath), request_body = NewRejectionBody,
    responses((status = 204), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_terms"]))
)]
pub async fn reject_draft(
    State(app): State<Arc<App>>,
    MayOfDraft { caller, draft: row, body: current, .. }: MayOfDraft<ManageTerms>,
    Body(body): Body<NewRejectionBody>,
) -> Result<Response, Problem> {
    draft(&app, row, &current).await?.reject(&app, &caller, body).await
}

/// Approve a change of flags.
///
/// A repeated approval counts once.
///
/// - 403 `own_change`: the caller proposed the change, or is not independent of its author.
/// - 409 `conflict`: the hash differs, or the change is already decided.
#[utoipa::path(
    post, path = "/api/admin/v1/environments/{environment}/changes/{id}/approvals", tag = "admin-flags",
    params(ChangePath), request_body = NewApprovalBody,
    responses((status = 204), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_flags"]))
)]
pub async fn approve_change(
    State(app): State<Arc<App>>,
    May { caller, .. }: May<ManageFlags>,
    Path((environment, id)): Path<(String, String)>,
    Body(body): Body<NewApprovalBody>,
) -> Result<Response, Problem> {
    change(&app, environment, id).await?.approve(&app, &caller, body).await
}

/// Withdraw the caller's approval of a change.
///
/// A retry is safe.
///
/// - 409 `conflict`: the change is already decided.
#[utoipa::path(
    delete, path = "/api/admin/v1/environments/{environment}/changes/{id}/approvals", tag = "admin-flags",
    params(ChangePath),
    responses((status = 204), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_flags"]))
)]
pub async fn withdraw_from_change(
    State(app): State<Arc<App>>,
    May { caller, .. }: May<ManageFlags>,
    Path((environment, id)): Path<(String, String)>,
) -> Result<Response, Problem> {
    change(&app, environment, id).await?.withdraw(&app, &caller).await
}

/// Reject a change with a comment.
///
/// All approvals become invalid.
///
/// - 409 `conflict`: the change is already decided.
/// - 422 `invalid_request`: the comment is missing.
#[utoipa::path(
    post, path = "/api/admin/v1/environments/{environment}/changes/{id}/rejections", tag = "admin-flags",
    params(ChangePath), request_body = NewRejectionBody,
    responses((status = 204), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_flags"]))
)]
pub async fn reject_change(
    State(app): State<Arc<App>>,
    May { caller, .. }: May<ManageFlags>,
    Path((environment, id)): Path<(String, String)>,
    Body(body): Body<NewRejectionBody>,
) -> Result<Response, Problem> {
    change(&app, environment, id).await?.reject(&app, &caller, body).await
}

/// Approve a proposal in its current version.
///
/// A repeated approval counts once.
///
/// - 403 `own_change`: the caller is the author, or is not independent of the author.
/// - 409 `conflict`: the hash differs, or the proposal is already decided.
#[utoipa::path(
    post, path = "/api/admin/v1/proposals/{id}/approvals", tag = "admin-server",
    params(ProposalPath), request_body = NewApprovalBody,
    responses((status = 204), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["decide_proposals"]))
)]
pub async fn approve_proposal(
    State(app): State<Arc<App>>,
    target: MayOfProposal,
    Body(body): Body<NewApprovalBody>,
) -> Result<Response, Problem> {
    let sha256 = target.open_hash()?;
    proposal(&app, target.proposal, sha256).await?.approve(&app, &target.caller, body).await
}

/// Withdraw the caller's approval of a proposal.
///
/// A retry is safe.
///
/// - 409 `conflict`: the proposal is already decided.
#[utoipa::path(
    delete, path = "/api/admin/v1/proposals/{id}/approvals", tag = "admin-server",
    params(ProposalPath),
    responses((status = 204), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["decide_proposals"]))
)]
pub async fn withdraw_from_proposal(
    State(app): State<Arc<App>>,
    target: MayOfProposal,
) -> Result<Response, Problem> {
    let sha256 = target.open_hash()?;
    proposal(&app, target.proposal, sha256).await?.withdraw(&app, &target.caller).await
}

/// Reject a proposal with a comment.
///
/// All approvals become invalid.
///
/// - 409 `conflict`: the proposal is already decided.
/// - 422 `invalid_request`: the comment is missing.
#[utoipa::path(
    post, path = "/api/admin/v1/proposals/{id}/rejections", tag = "admin-server",
    params(ProposalPath), request_body = NewRejectionBody,
    responses((status = 204), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["decide_proposals"]))
)]
pub async fn reject_proposal(
    State(app): State<Arc<App>>,
    target: MayOfProposal,
    Body(body): Body<NewRejectionBody>,
) -> Result<Response, Problem> {
    let sha256 = target.open_hash()?;
    proposal(&app, target.proposal, sha256).await?.reject(&app, &target.caller, body).await
}
