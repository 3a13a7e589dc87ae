//! `/approval-rules`: the approvals that changes need.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use musette_core::terms::TermType;
use musette_store::{ActionApproval, ApprovalRule, Clearance, RESTRICTIONS_SUBJECT};
use serde::{Deserialize, Serialize};

use super::{BreakGlassQuery, FLAGS, TERMS};
use crate::flags::ruleset::is_environment_name;
use crate::http::access::audit::{audit_action, event_about};
use crate::http::access::permission::{Administer, May, Read};
use crate::http::terms::endings::with_proposal;
use crate::http::wire::body::ListBody;
use crate::http::wire::body::changed_meanwhile;
use crate::http::wire::caching::private;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::query::Query;
use crate::node::app::App;
use crate::platform::closed_sets;
use musette_core::decisions::restrictions::RestrictionKind;

const APPROVALS_MAX: i64 = 3;
const RULES_MAX: usize = 200;

/// The number of approvals that a kind of change needs. The most specific rule counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct ApprovalRuleBody {
    /// The kind of change that needs approval.
    #[schema(value_type = closed_sets::ApprovalSubject)]
    subject: String,
    /// A type of terms, an environment, a kind of restrictions, or `*` for all without a more specific rule.
    #[schema(max_length = 64)]
    scope: String,
    /// The number of approvals. 0: none is needed.
    #[schema(minimum = 0, maximum = 3)]
    approvals: i64,
}

impl ApprovalRuleBody {
    fn is_valid(&self) -> bool {
        let is_scope = match self.subject.as_str() {
            TERMS => self.scope == "*" || TermType::parse(&self.scope).is_some(),
            FLAGS => self.scope == "*" || is_environment_name(&self.scope),
            RESTRICTIONS_SUBJECT => {
                self.scope == "*" || RestrictionKind::parse(&self.scope).is_some()
            }
            _ => false,
        };
        is_scope && (0..=APPROVALS_MAX).contains(&self.approvals)
    }
}

impl From<ApprovalRule> for ApprovalRuleBody {
    fn from(rule: ApprovalRule) -> Self {
        Self { subject: rule.kind, scope: rule.scope, approvals: rule.approvals }
    }
}

impl From<ApprovalRuleBody> for ApprovalRule {
    fn from(rule: ApprovalRuleBody) -> Self {
        Self { kind: rule.subject, scope: rule.scope, approvals: rule.approvals }
    }
}

async fn all(app: &App) -> Result<Response, Problem> {
    let rules = app.store.approval_rules().await?.into_iter().map(ApprovalRuleBody::from);
    Ok(private(&rules.collect::<Vec<_>>()))
}

/// List the approval rules.
///
/// Without rules, nothing needs an approval. The operation changes nothing.
#[utoipa::path(
    get, path = "/api/admin/v1/approval-rules", tag = "admin-server",
    responses((status = 200, body = Vec<ApprovalRuleBody>), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read"]))
)]
pub async fn rules(State(app): State<Arc<App>>, _: May<Read>) -> Result<Response, Problem> {
    all(&app).await
}

/// Replace the approval rules.
///
/// The rules apply at once, also to existing drafts and scheduled changes. A retry changes nothing.
///
/// - 409 `approval_required`: a rule becomes weaker or is removed, which needs the approvals that
///   it requires. Create a proposal.
/// - 422 `invalid_request`: a rule is malformed, or two rules have the same subject and scope.
#[utoipa::path(
    put, path = "/api/admin/v1/approval-rules", tag = "admin-server",
    params(BreakGlassQuery), request_body = Vec<ApprovalRuleBody>,
    responses((status = 200, body = Vec<ApprovalRuleBody>), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["administer"]))
)]
pub async fn put_rules(
    State(app): State<Arc<App>>,
    May { caller: admin, .. }: May<Administer>,
    Query(glass): Query<BreakGlassQuery>,
    ListBody(rules): ListBody<ApprovalRuleBody>,
) -> Result<Response, Problem> {
    let glass = glass.by(&admin)?;
    let rules = checked(rules)?;
    let act = ActionApproval { clearance: Clearance::ByRules(glass.as_ref()), proposal: None };
    if !replace(&app, &admin.subject, &rules, None, act).await? {
        return Err(changed_meanwhile());
    }
    all(&app).await
}

/// Returns the rules in the order of the store, or 422 `invalid_request`.
pub fn checked(rules: Vec<ApprovalRuleBody>) -> Result<Vec<ApprovalRule>, Problem> {
    let invalid = |detail: &str| Problem::invalid("invalid_request", detail, Vec::new());
    if rules.len() > RULES_MAX || !rules.iter().all(ApprovalRuleBody::is_valid) {
        return Err(invalid(
            "A rule must have the 'subject' terms, flags or restrictions, a 'scope' of that subject or '*', and 0 to 3 'approvals'.",
        ));
    }
    let mut scopes: Vec<(&str, &str)> =
        rules.iter().map(|rule| (rule.subject.as_str(), rule.scope.as_str())).collect();
    scopes.sort_unstable();
    scopes.dedup();
    if scopes.len() != rules.len() {
        return Err(invalid("Two rules have the same 'subject' and 'scope'."));
    }
    let mut rows: Vec<ApprovalRule> = rules.into_iter().map(ApprovalRule::from).collect();
    rows.sort_by(|a, b| (&a.kind, &a.scope).cmp(&(&b.kind, &b.scope)));
    Ok(rows)
}

/// Replaces the rules, directly or by a proposal, and records it in the audit. Returns false if the
/// current rules differ from `base`.
pub async fn replace(
    app: &App,
    admin: &str,
    rules: &[ApprovalRule],
    base: Option<&[ApprovalRule]>,
    act: ActionApproval<'_>,
) -> Result<bool, Problem> {
    if !app.store.set_approval_rules(rules, base, act, app.now()).await? {
        return Ok(false);
    }
    let names = rules.iter().map(|rule| format!("{} {} {}", rule.kind, rule.scope, rule.approvals));
    let detail = with_proposal(names.collect::<Vec<_>>().join(", "), act);
    audit_action(app, admin, event_about("approval_rules_changed", detail)).await;
    Ok(true)
}
