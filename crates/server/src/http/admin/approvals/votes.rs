//! `…/approvals` and `…/rejections` of drafts of terms and of changes of flags.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use musette_store::{NewVote, PROPOSAL_VOTES, Proposal, TermDraft, VoteOutcome};
use serde::Deserialize;

use super::{FLAGS, TERMS, hash_of};
use crate::app::App;
use crate::audit::{audit_action, event_about};
use crate::http::admin::body::Body;
use crate::http::admin::drafts::{DraftBody, MayOfDraft};
use crate::http::admin::flags::{found as found_change, open_hash};
use crate::http::admin::proposals::MayOfProposal;
use crate::http::caller::Caller;
use crate::http::parameters::{ChangePath, DraftPath, ProposalPath};
use crate::http::permission::{ManageFlags, ManageTerms, May};
use crate::http::problem::{Problem, ProblemBody};
use crate::service_keys::with_makers;

/// What is approved.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct NewApprovalBody {
    /// The `sha256` of the draft or change that was read: exactly that is approved.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    sha256: String,
}

/// Why it is sent back.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct NewRejectionBody {
    /// What is to be changed: 1 to 1000 characters.
    #[schema(min_length = 1, max_length = 1000)]
    comment: String,
}

/// The object of a vote, as it is now.
struct Voted {
    kind: &'static str,
    id: String,
    scope: String,
    sha256: String,
    /// Subjects of whoever wrote it, and of whoever made the keys that did.
    editors: Vec<String>,
    /// Revision of the draft. Always 0 for a change of flags, which cannot be edited.
    revision: i64,
}

fn changed() -> Problem {
    let detail = "It is not what you have read any more: read it again.";
    Problem::new(StatusCode::CONFLICT, "conflict", detail)
}

async fn draft(app: &App, draft: TermDraft, body: &DraftBody) -> Result<Voted, Problem> {
    Ok(Voted {
        kind: TERMS,
        scope: body.kind.clone(),
        sha256: hash_of(&body.to_text()),
        editors: with_makers(&app.store, app.store.draft_editors(&draft.id).await?).await?,
        revision: draft.revision,
        id: draft.id,
    })
}

async fn change(app: &App, environment: String, id: String) -> Result<Voted, Problem> {
    let change = found_change(app, &environment, &id).await?;
    let sha256 = open_hash(&change)?;
    let editors = with_makers(&app.store, change.subject.into_iter().collect()).await?;
    Ok(Voted { kind: FLAGS, id, scope: environment, sha256, editors, revision: 0 })
}

async fn proposal(app: &App, proposal: Proposal, sha256: String) -> Result<Voted, Problem> {
    Ok(Voted {
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

impl Voted {
    async fn approve(
        self,
        app: &App,
        by: &Caller,
        body: NewApprovalBody,
    ) -> Result<Response, Problem> {
        // The log names people who approved, and a program is none.
        if by.is_service {
            return Err(Problem::denied_to(&by.subject));
        }
        if self.editors.contains(&by.subject) {
            return Err(own_change("Whoever has changed it does not approve it."));
        }
        if body.sha256 != self.sha256 {
            return Err(changed());
        }
        let approved = app.store.approve(&self.vote(by), &self.sha256, app.now()).await?;
        match approved {
            VoteOutcome::Approved => {
                let event = event_about("change_approved", self.named());
                audit_action(app, &by.subject, event).await;
            }
            VoteOutcome::Repeated => {}
            VoteOutcome::Changed => return Err(changed()),
            VoteOutcome::NotIndependent => {
                return Err(own_change(
                    "Your account and an author's count as one person: one of them created the other, made its sign-in link or changed its address, or an admin reset one of them since this was begun.",
                ));
            }
        }
        Ok(StatusCode::NO_CONTENT.into_response())
    }

    async fn withdraw(self, app: &App, by: &Caller) -> Result<Response, Problem> {
        let withdrawn = app.store.withdraw_approval(&self.vote(by)).await?;
        if withdrawn.ok_or_else(changed)? {
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
            let detail = "'comment' has 1 to 1000 characters.";
            return Err(Problem::invalid("invalid_request", detail, Vec::new()));
        }
        if !app.store.reject(&self.vote(by), &body.comment, app.now()).await? {
            return Err(changed());
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

/// Approve a draft exactly as it is.
///
/// An edit after it voids all approvals. A repeat counts once. 403 `own_change`: whoever has edited the draft does not
/// approve it. 409 `conflict`: the draft has another hash by now.
#[utoipa::path(
    post, path = "/api/admin/v1/term-drafts/{id}/approvals", tag = "admin-terms",
    params(DraftPath), request_body = NewApprovalBody,
    responses((status = 204), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_terms"]))
)]
pub async fn approve_draft(
    State(app): State<Arc<App>>,
    MayOfDraft { caller, draft: found, body: of, .. }: MayOfDraft<ManageTerms>,
    Body(body): Body<NewApprovalBody>,
) -> Result<Response, Problem> {
    draft(&app, found, &of).await?.approve(&app, &caller, body).await
}

/// Withdraw one's own approval of a draft.
///
/// A repeat is safe.
#[utoipa::path(
    delete, path = "/api/admin/v1/term-drafts/{id}/approvals", tag = "admin-terms",
    params(DraftPath),
    responses((status = 204), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_terms"]))
)]
pub async fn withdraw_from_draft(
    State(app): State<Arc<App>>,
    MayOfDraft { caller, draft: found, body: of, .. }: MayOfDraft<ManageTerms>,
) -> Result<Response, Problem> {
    draft(&app, found, &of).await?.withdraw(&app, &caller).await
}

/// Send a draft back with a comment.
///
/// Its approvals are void. The comment stands in the draft until the next edit. 422 `invalid_request`: no comment.
#[utoipa::path(
    post, path = "/api/admin/v1/term-drafts/{id}/rejections", tag = "admin-terms",
    params(DraftPath), request_body = NewRejectionBody,
    responses((status = 204), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_terms"]))
)]
pub async fn reject_draft(
    State(app): State<Arc<App>>,
    MayOfDraft { caller, draft: found, body: of, .. }: MayOfDraft<ManageTerms>,
    Body(body): Body<NewRejectionBody>,
) -> Result<Response, Problem> {
    draft(&app, found, &of).await?.reject(&app, &caller, body).await
}

/// Approve a change of flags.
///
/// A repeat counts once. 403 `own_change`: whoever proposed the change does not approve it. 409 `conflict`: another hash,
/// or the change is settled.
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

/// Withdraw one's own approval of a change.
///
/// 409 `conflict`: the change is settled. A repeat is safe.
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

/// Send a change back with a comment.
///
/// Its approvals are void. 409 `conflict`: the change is settled. 422 `invalid_request`: no comment.
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

/// Approve a proposal exactly as it is.
///
/// A repeat counts once. 403 `own_change`: the author does not approve it, nor an account that the author gave access
/// to. 409 `conflict`: another hash, or the proposal is settled.
#[utoipa::path(
    post, path = "/api/admin/v1/proposals/{id}/approvals", tag = "admin-server",
    params(ProposalPath), request_body = NewApprovalBody,
    responses((status = 204), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["decide_proposals"]))
)]
pub async fn approve_proposal(
    State(app): State<Arc<App>>,
    found: MayOfProposal,
    Body(body): Body<NewApprovalBody>,
) -> Result<Response, Problem> {
    let sha256 = found.open_hash()?;
    proposal(&app, found.proposal, sha256).await?.approve(&app, &found.caller, body).await
}

/// Withdraw one's own approval of a proposal.
///
/// 409 `conflict`: the proposal is settled. A repeat is safe.
#[utoipa::path(
    delete, path = "/api/admin/v1/proposals/{id}/approvals", tag = "admin-server",
    params(ProposalPath),
    responses((status = 204), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["decide_proposals"]))
)]
pub async fn withdraw_from_proposal(
    State(app): State<Arc<App>>,
    found: MayOfProposal,
) -> Result<Response, Problem> {
    let sha256 = found.open_hash()?;
    proposal(&app, found.proposal, sha256).await?.withdraw(&app, &found.caller).await
}

/// Send a proposal back with a comment.
///
/// Its approvals are void. 409 `conflict`: the proposal is settled. 422 `invalid_request`: no comment.
#[utoipa::path(
    post, path = "/api/admin/v1/proposals/{id}/rejections", tag = "admin-server",
    params(ProposalPath), request_body = NewRejectionBody,
    responses((status = 204), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["decide_proposals"]))
)]
pub async fn reject_proposal(
    State(app): State<Arc<App>>,
    found: MayOfProposal,
    Body(body): Body<NewRejectionBody>,
) -> Result<Response, Problem> {
    let sha256 = found.open_hash()?;
    proposal(&app, found.proposal, sha256).await?.reject(&app, &found.caller, body).await
}
