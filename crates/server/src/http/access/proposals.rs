//! `/proposals`: acts that need approvals, in addition to drafts of terms and changes of flags:
//! ending and ordering published terms, and weakening approval rules.

mod act;

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{FromRequestParts, Path, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use musette_core::instant::Instant;
use musette_core::session::Role;
use musette_store::{
    ActionApproval, Clearance, NewProposal, PROPOSAL_VOTES, Proposal, RULE_PROPOSALS,
};
use serde::Serialize;

use super::approvals::{ApprovalBody, ApprovalRuleBody, BreakGlassQuery, RejectionBody};
use super::audit::{audit_action, event_about};
use super::caller::Caller;
use super::permission::{DecideProposals, ManageTerms, ReadTerms, Within};
use crate::http::wire::body::Body;
use crate::http::wire::caching::private;
use crate::http::wire::page::{Page, Paged};
use crate::http::wire::parameters::ProposalPath;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::query::{FromQuery, Parameters, Query};
use crate::node::app::App;
use crate::platform::closed_sets;
use crate::platform::random;
pub use act::{ActBody, StoredAct, may_decide_with};
use act::{Checked, may_decide};

/// The status of a pending proposal.
pub const OPEN: &str = "proposed";

/// An act that needs approvals, and its status.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct ProposalBody {
    /// The id of the proposal.
    #[schema(format = "uuid")]
    id: String,
    /// The subject of the proposal.
    #[schema(value_type = closed_sets::ProposalSubject)]
    subject: String,
    #[serde(flatten)]
    act: ActBody,
    /// The approval rules at the time of the proposal. Only for `replace_rules`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_items = 200)]
    rules_before: Option<Vec<ApprovalRuleBody>>,
    /// The market of the term. Null: everywhere.
    #[schema(required)]
    market: Option<String>,
    /// The user id of the author. Absent for a service key, and once the author is erased.
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<String>,
    /// The time of the proposal.
    #[schema(format = DateTime)]
    created_at: String,
    /// The status of the proposal.
    #[schema(value_type = closed_sets::ProposalStatus)]
    status: String,
    /// The time at which it was applied, cancelled or refused. Absent while it is pending.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    settled_at: Option<String>,
    /// The error code of the act that could not be applied. Absent unless the status is `refused`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(pattern = "^[a-z][a-z0-9_]*$")]
    refusal: Option<String>,
    /// The SHA-256 of the proposal. An approval refers to it.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    sha256: String,
    /// The number of approvals that it needs.
    #[schema(minimum = 0)]
    approvals_needed: i64,
    /// The approvals.
    approvals: Vec<ApprovalBody>,
    /// The last rejection. Absent if it was not rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    rejection: Option<RejectionBody>,
}

/// Returns the hash of the content of a proposal.
pub fn proposal_hash(proposal: &Proposal) -> String {
    let Proposal { id, kind, scope, body, .. } = proposal;
    random::sha256_hex(format!("{id}\n{kind}\n{scope}\n{body}").as_bytes())
}

async fn body(app: &App, proposal: Proposal) -> Result<ProposalBody, Problem> {
    let text = |millis| Instant::from_millis(millis).to_string();
    let sha256 = proposal_hash(&proposal);
    let act = StoredAct::of(&proposal)?;
    let approvals = app.store.approvals(PROPOSAL_VOTES, &proposal.id, &sha256).await?;
    let rejection = app.store.rejection(PROPOSAL_VOTES, &proposal.id).await?;
    Ok(ProposalBody {
        approvals_needed: act.needed(app, &proposal).await?,
        approvals: approvals.into_iter().map(ApprovalBody::from).collect(),
        rejection: rejection.map(RejectionBody::from),
        rules_before: act.rules_before,
        act: act.body,
        id: proposal.id,
        subject: proposal.kind,
        market: proposal.market,
        author: proposal.author,
        created_at: text(proposal.created_at),
        status: proposal.status,
        settled_at: proposal.settled_at.map(text),
        refusal: proposal.refusal,
        sha256,
    })
}

async fn find(app: &App, id: &str) -> Result<Proposal, Problem> {
    app.store.proposal(id).await?.ok_or_else(|| Problem::absent("proposal with this id"))
}

fn not_pending() -> Problem {
    Problem::new(StatusCode::CONFLICT, "conflict", "The proposal is already decided.")
}

/// A caller who may decide on the proposal that `{id}` names.
#[derive(Debug, Clone)]
pub struct MayOfProposal {
    pub caller: Caller,
    pub proposal: Proposal,
}

impl MayOfProposal {
    /// Returns the hash of a pending proposal, or a 409 if it is already decided.
    pub fn open_hash(&self) -> Result<String, Problem> {
        if self.proposal.status != OPEN {
            return Err(not_pending());
        }
        Ok(proposal_hash(&self.proposal))
    }
}

impl FromRequestParts<Arc<App>> for MayOfProposal {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let within = Within::<DecideProposals>::from_request_parts(parts, app).await?;
        let caller = within.caller;
        let path: Result<Path<HashMap<String, String>>, _> =
            Path::from_request_parts(parts, app).await;
        let id = path.ok().and_then(|Path(mut path)| path.remove("id")).unwrap_or_default();
        let proposal = find(app, &id).await?;
        if !may_decide(&caller, &proposal) {
            return Err(Problem::denied_to(&caller.subject));
        }
        Ok(Self { caller, proposal })
    }
}

/// Filters of proposals.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ProposalsQuery {
    /// Only proposals with this status.
    #[param(value_type = Option<closed_sets::ProposalStatus>)]
    status: Option<&'static str>,
}

impl FromQuery for ProposalsQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        let status =
            |text: &str| closed_sets::PROPOSAL_STATUSES.into_iter().find(|status| *status == text);
        let expected = "proposed, done, cancelled or refused";
        Ok(Self { status: parameters.parsed("status", status, expected)? })
    }
}

/// List proposals, newest first.
///
/// A role for some markets sees proposals on terms in these markets, and proposals on rules.
///
/// - 400 `invalid_parameter`: the status or the cursor is unknown.
#[utoipa::path(
    get, path = "/api/admin/v1/proposals", tag = "admin-server",
    params(ProposalsQuery, Page),
    responses((status = 200, body = Paged<ProposalBody>), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_terms"]))
)]
pub async fn proposals(
    State(app): State<Arc<App>>,
    Within { reach, .. }: Within<ReadTerms>,
    Query(query): Query<ProposalsQuery>,
    Query(page): Query<Page>,
) -> Result<Response, Problem> {
    let status = query.status.unwrap_or_default();
    let filter = reach.filter(None);
    let rows = app.store.proposals(page.before_uuid(), page.rows(), &filter, status).await?;
    let mut items = Vec::new();
    for proposal in rows {
        items.push(body(&app, proposal).await?);
    }
    Ok(private(&page.of(items, |proposal| proposal.id.clone(), |proposal| proposal)))
}

/// Propose an act that needs approvals.
///
/// The act is checked as if it were applied now, and its errors are returned. A retry creates
/// another proposal.
///
/// - 403 `permission_denied`: the caller may not perform the act. Only admins can propose rules.
/// - 412 `precondition_failed`: the order has another revision.
/// - 422 `invalid_request`: a member of the act is missing.
#[utoipa::path(
    post, path = "/api/admin/v1/proposals", tag = "admin-server", operation_id = "add_proposal",
    request_body = ActBody,
    responses((status = 201, body = ProposalBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_terms"]))
)]
pub async fn propose(
    State(app): State<Arc<App>>,
    Within { caller, reach, .. }: Within<ManageTerms>,
    Body(act): Body<ActBody>,
) -> Result<Response, Problem> {
    let name = act.act.clone();
    let Checked { kind, scope, market, act } = act.check(&app, &caller, &reach).await?;
    let (id, text) = (random::uuid(), act.to_text());
    let new = NewProposal {
        id: &id,
        kind,
        scope: &scope,
        market: market.as_ref(),
        body: &text,
        author: &caller.subject,
    };
    app.store.add_proposal(&new, app.now()).await?;
    let event = event_about("act_proposed", format!("{name} {scope}, proposal {id}"));
    audit_action(&app, &caller.subject, event).await;
    let proposal = find(&app, &id).await?;
    Ok((StatusCode::CREATED, private(&body(&app, proposal).await?)).into_response())
}

/// Read a proposal.
///
/// - 403 `permission_denied`: the term is outside the caller's markets.
/// - 404 `not_found`: the proposal does not exist.
#[utoipa::path(
    get, path = "/api/admin/v1/proposals/{id}", tag = "admin-server", params(ProposalPath),
    responses((status = 200, body = ProposalBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_terms"]))
)]
pub async fn proposal(
    State(app): State<Arc<App>>,
    Within { caller, reach, .. }: Within<ReadTerms>,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let proposal = find(&app, &id).await?;
    if proposal.kind != RULE_PROPOSALS && !reach.covers_code(proposal.market.as_deref()) {
        return Err(Problem::denied_to(&caller.subject));
    }
    Ok(private(&body(&app, proposal).await?))
}

/// Apply a proposal now.
///
/// If its object has changed so that the act is no longer possible, the proposal gets the status
/// `refused` with the error code, and nothing is applied.
///
/// - 403 `permission_denied`: the proposal concerns rules, and the caller is not an admin.
/// - 409 `approval_required`: approvals are missing. An admin can bypass them with `break_glass`.
/// - 409 `conflict`: the proposal is already decided, for example by the first request if this is a
///   retry.
#[utoipa::path(
    post, path = "/api/admin/v1/proposals/{id}/apply", tag = "admin-server",
    params(ProposalPath, BreakGlassQuery),
    responses((status = 200, body = ProposalBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["decide_proposals"]))
)]
pub async fn apply_proposal(
    State(app): State<Arc<App>>,
    target: MayOfProposal,
    Query(glass): Query<BreakGlassQuery>,
) -> Result<Response, Problem> {
    let sha256 = target.open_hash()?;
    let MayOfProposal { caller, proposal } = target;
    require_admin_for_rules(&caller, &proposal)?;
    let glass = glass.by(&caller)?;
    let act = ActionApproval {
        clearance: Clearance::ByRules(glass.as_ref()),
        proposal: Some((&proposal.id, &sha256)),
    };
    let result = StoredAct::of(&proposal)?.perform(&app, &caller, act).await?;
    if let Err(refusal) = result
        && app.store.close_proposal(&proposal.id, Some(refusal), app.now()).await?
    {
        let detail = format!("proposal {}: {refusal}", proposal.id);
        audit_action(&app, &caller.subject, event_about("proposal_refused", detail)).await;
    }
    Ok(private(&body(&app, find(&app, &proposal.id).await?).await?))
}

fn require_admin_for_rules(caller: &Caller, proposal: &Proposal) -> Result<(), Problem> {
    if proposal.kind == RULE_PROPOSALS && !caller.has(Role::Admin) {
        return Err(Problem::denied_to(&caller.subject));
    }
    Ok(())
}

/// Cancel a proposal.
///
/// - 403 `permission_denied`: the proposal concerns rules, and the caller is not an admin.
/// - 409 `conflict`: the proposal is already decided, for example by the first request if this is a
///   retry.
#[utoipa::path(
    delete, path = "/api/admin/v1/proposals/{id}", tag = "admin-server",
    params(ProposalPath),
    responses((status = 204), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["decide_proposals"]))
)]
pub async fn cancel_proposal(
    State(app): State<Arc<App>>,
    target: MayOfProposal,
) -> Result<Response, Problem> {
    let MayOfProposal { caller, proposal } = target;
    require_admin_for_rules(&caller, &proposal)?;
    if !app.store.close_proposal(&proposal.id, None, app.now()).await? {
        return Err(not_pending());
    }
    let event = event_about("proposal_cancelled", format!("proposal {}", proposal.id));
    audit_action(&app, &caller.subject, event).await;
    Ok(StatusCode::NO_CONTENT.into_response())
}
