//! `/approval-rules`: what colleagues must approve.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use musette_core::terms::TermType;
use musette_store::ApprovalRule;
use serde::{Deserialize, Serialize};

use super::{FLAGS, TERMS};
use crate::app::App;
use crate::audit::{audit_action, event_about};
use crate::closed_sets;
use crate::http::admin::body::ListBody;
use crate::http::caching::private;
use crate::http::permission::{Administer, May, Read};
use crate::http::problem::{Problem, ProblemBody};
use crate::ruleset::is_environment_name;

const APPROVALS_MAX: i64 = 3;
const RULES_MAX: usize = 200;

/// How many colleagues must approve something. The most precise rule counts.
#[derive(Debug, Serialize, Deserialize, utoipa::ToSchema)]
pub struct ApprovalRuleBody {
    /// What is approved.
    #[schema(value_type = closed_sets::ApprovalSubject)]
    subject: String,
    /// A type of terms, an environment, or `*` for all that have no rule of their own.
    #[schema(max_length = 64)]
    scope: String,
    /// How many colleagues. 0: none.
    #[schema(minimum = 0, maximum = 3)]
    approvals: i64,
}

impl ApprovalRuleBody {
    fn is_sound(&self) -> bool {
        let is_scope = match self.subject.as_str() {
            TERMS => self.scope == "*" || TermType::parse(&self.scope).is_some(),
            FLAGS => self.scope == "*" || is_environment_name(&self.scope),
            _ => false,
        };
        is_scope && (0..=APPROVALS_MAX).contains(&self.approvals)
    }
}

async fn all(app: &App) -> Result<Response, Problem> {
    let rules = app.store.approval_rules().await?.into_iter().map(|it| ApprovalRuleBody {
        subject: it.kind,
        scope: it.scope,
        approvals: it.approvals,
    });
    Ok(private(&rules.collect::<Vec<_>>()))
}

/// List the rules of approval.
///
/// None by default: nothing needs an approval. A read changes nothing and can be repeated.
#[utoipa::path(
    get, path = "/api/admin/v1/approval-rules", tag = "admin-server",
    responses((status = 200, body = Vec<ApprovalRuleBody>), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read"]))
)]
pub async fn rules(State(app): State<Arc<App>>, _: May<Read>) -> Result<Response, Problem> {
    all(&app).await
}

/// Replace the rules of approval.
///
/// They count at once, also for what is drafted or scheduled already. 422 `invalid_request`: a rule is malformed, or two
/// have the same subject and scope. A repeat changes nothing.
#[utoipa::path(
    put, path = "/api/admin/v1/approval-rules", tag = "admin-server",
    request_body = Vec<ApprovalRuleBody>,
    responses((status = 200, body = Vec<ApprovalRuleBody>), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["administer"]))
)]
pub async fn put_rules(
    State(app): State<Arc<App>>,
    May { caller: admin, .. }: May<Administer>,
    ListBody(rules): ListBody<ApprovalRuleBody>,
) -> Result<Response, Problem> {
    let invalid = |detail: &str| Problem::invalid("invalid_request", detail, Vec::new());
    if rules.len() > RULES_MAX || !rules.iter().all(ApprovalRuleBody::is_sound) {
        return Err(invalid(
            "A rule has 'subject' terms or flags, a 'scope' of that subject or '*', and 0 to 3 'approvals'.",
        ));
    }
    let mut seen: Vec<(&str, &str)> =
        rules.iter().map(|it| (it.subject.as_str(), it.scope.as_str())).collect();
    seen.sort_unstable();
    seen.dedup();
    if seen.len() != rules.len() {
        return Err(invalid("Two rules have the same 'subject' and 'scope'."));
    }
    let said: Vec<String> =
        rules.iter().map(|it| format!("{} {} {}", it.subject, it.scope, it.approvals)).collect();
    let rows: Vec<ApprovalRule> = rules
        .into_iter()
        .map(|it| ApprovalRule { kind: it.subject, scope: it.scope, approvals: it.approvals })
        .collect();
    app.store.set_approval_rules(&rows).await?;
    let event = event_about("approval_rules_changed", said.join(", "));
    audit_action(&app, &admin.subject, event).await;
    all(&app).await
}
