//! `/proposals`: acts that wait for approvals, beside drafts of terms and changes of flags: ending and ordering
//! published terms, and weaker rules of approval.

mod act;

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{FromRequestParts, Path, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use musette_core::instant::Instant;
use musette_core::session::Role;
use musette_store::{Act, Clearance, NewProposal, PROPOSAL_VOTES, Proposal, RULE_PROPOSALS};
use serde::Serialize;

use super::approvals::{ApprovalBody, ApprovalRuleBody, BreakGlassQuery, RejectionBody};
use super::body::Body;
use super::page::{Page, Paged};
use crate::app::App;
use crate::audit::{audit_action, event_about};
use crate::closed_sets;
use crate::http::caching::private;
use crate::http::caller::Caller;
use crate::http::parameters::ProposalPath;
use crate::http::permission::{DecideProposals, ManageTerms, ReadTerms, Within};
use crate::http::problem::{Problem, ProblemBody};
use crate::http::query::{FromQuery, Parameters, Query};
use crate::random;
pub use act::{ActBody, StoredAct, may_decide_with};
use act::{Checked, may_decide};

/// The status of a proposal that waits.
pub const OPEN: &str = "proposed";

/// An act that waits for approvals, and what became of it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct ProposalBody {
    /// Identifies the proposal.
    #[schema(format = "uuid")]
    id: String,
    /// What it is about.
    #[schema(value_type = closed_sets::ProposalSubject)]
    subject: String,
    #[serde(flatten)]
    act: ActBody,
    /// The rules of approval from which it was proposed. Only for `replace_rules`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_items = 200)]
    rules_before: Option<Vec<ApprovalRuleBody>>,
    /// The market of the term. Null: everywhere.
    #[schema(required)]
    market: Option<String>,
    /// The user id of the author. Absent for a service key, and once the author is erased.
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<String>,
    /// When it was proposed.
    #[schema(format = DateTime)]
    created_at: String,
    /// What became of it.
    #[schema(value_type = closed_sets::ProposalStatus)]
    status: String,
    /// When it was applied, cancelled or refused. Absent while it waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    settled_at: Option<String>,
    /// Why it was refused: the error code of the act. Absent if it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(pattern = "^[a-z][a-z0-9_]*$")]
    refusal: Option<String>,
    /// The hash of the proposal, which an approval names.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    sha256: String,
    /// How many approvals it needs.
    #[schema(minimum = 0)]
    approvals_needed: i64,
    /// Who has approved it.
    approvals: Vec<ApprovalBody>,
    /// Why it was sent back. Absent if it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    rejection: Option<RejectionBody>,
}

/// The hash of all that a proposal says.
pub fn proposal_hash(proposal: &Proposal) -> String {
    let Proposal { id, kind, scope, body, .. } = proposal;
    random::sha256_hex(format!("{id}\n{kind}\n{scope}\n{body}").as_bytes())
}

async fn body(app: &App, proposal: Proposal) -> Result<ProposalBody, Problem> {
    let text = |millis| Instant::from_millis(millis).to_string();
    let sha256 = proposal_hash(&proposal);
    let act = StoredAct::of(&proposal)?;
    let given = app.store.approvals(PROPOSAL_VOTES, &proposal.id, &sha256).await?;
    let rejection = app.store.rejection(PROPOSAL_VOTES, &proposal.id).await?;
    Ok(ProposalBody {
        approvals_needed: act.needed(app, &proposal).await?,
        approvals: given.into_iter().map(ApprovalBody::from).collect(),
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
    app.store.proposal(id).await?.ok_or_else(|| Problem::absent("proposal of this id"))
}

fn settled() -> Problem {
    Problem::new(StatusCode::CONFLICT, "conflict", "The proposal is settled.")
}

/// A caller who may decide about the proposal that `{id}` names.
#[derive(Debug, Clone)]
pub struct MayOfProposal {
    pub caller: Caller,
    pub proposal: Proposal,
}

impl MayOfProposal {
    /// The hash of the proposal; 409 for one that is settled.
    pub fn open_hash(&self) -> Result<String, Problem> {
        if self.proposal.status != OPEN {
            return Err(settled());
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
        let status = |text: &str| closed_sets::PROPOSAL_STATUSES.into_iter().find(|it| *it == text);
        let expected = "proposed, done, cancelled or refused";
        Ok(Self { status: parameters.parsed("status", status, expected)? })
    }
}

/// List proposals, newest first.
///
/// With a grant for some markets those of terms inside them, and those of rules. 400 `invalid_parameter`: an unknown
/// status or cursor.
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
    Ok(private(&page.of(items, |it| it.id.clone(), |it| it)))
}

/// Propose an act that needs approvals.
///
/// It is checked as if it were done now: its errors are those of the act. Rules are proposed by admins only (403). 412
/// `precondition_failed`: the order has another revision. 422 `invalid_request`: a member of the act is missing. A repeat
/// adds another proposal.
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
/// 404 `not_found`: unknown. 403 `permission_denied`: of a term outside the markets of the caller's grants.
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
/// If what it is about has changed so that it cannot be done any more, it becomes `refused` with the reason, and nothing is
/// done. 409 `approval_required`: it lacks approvals; with `break_glass` an admin goes past that. 409 `conflict`: it is
/// settled, so a repeat is refused. Rules are applied by admins only (403).
#[utoipa::path(
    post, path = "/api/admin/v1/proposals/{id}/apply", tag = "admin-server",
    params(ProposalPath, BreakGlassQuery),
    responses((status = 200, body = ProposalBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["decide_proposals"]))
)]
pub async fn apply_proposal(
    State(app): State<Arc<App>>,
    found: MayOfProposal,
    Query(glass): Query<BreakGlassQuery>,
) -> Result<Response, Problem> {
    let sha256 = found.open_hash()?;
    let MayOfProposal { caller, proposal } = found;
    refuse_rules_of_others(&caller, &proposal)?;
    let glass = glass.by(&caller)?;
    let act = Act {
        clearance: Clearance::ByRules(glass.as_ref()),
        proposal: Some((&proposal.id, &sha256)),
    };
    let carried_out = StoredAct::of(&proposal)?.carry_out(&app, &caller, act).await?;
    if let Err(refusal) = carried_out
        && app.store.drop_proposal(&proposal.id, Some(refusal), app.now()).await?
    {
        let detail = format!("proposal {}: {refusal}", proposal.id);
        audit_action(&app, &caller.subject, event_about("proposal_refused", detail)).await;
    }
    Ok(private(&body(&app, find(&app, &proposal.id).await?).await?))
}

fn refuse_rules_of_others(caller: &Caller, proposal: &Proposal) -> Result<(), Problem> {
    if proposal.kind == RULE_PROPOSALS && !caller.has(Role::Admin) {
        return Err(Problem::denied_to(&caller.subject));
    }
    Ok(())
}

/// Cancel a proposal.
///
/// Rules are cancelled by admins only (403). 409 `conflict`: it is settled, so a repeat is refused.
#[utoipa::path(
    delete, path = "/api/admin/v1/proposals/{id}", tag = "admin-server",
    params(ProposalPath),
    responses((status = 204), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["decide_proposals"]))
)]
pub async fn cancel_proposal(
    State(app): State<Arc<App>>,
    found: MayOfProposal,
) -> Result<Response, Problem> {
    let MayOfProposal { caller, proposal } = found;
    refuse_rules_of_others(&caller, &proposal)?;
    if !app.store.drop_proposal(&proposal.id, None, app.now()).await? {
        return Err(settled());
    }
    let event = event_about("proposal_cancelled", format!("proposal {}", proposal.id));
    audit_action(&app, &caller.subject, event).await;
    Ok(StatusCode::NO_CONTENT.into_response())
}
