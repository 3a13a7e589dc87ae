//! Review rules: how long riders can contest, and when an answer is due.

use std::collections::HashSet;
use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use musette_store::ReviewRule;
use serde::{Deserialize, Serialize};

use crate::http::access::audit::{audit_action, event_about};
use crate::http::access::permission::{Administer, May};
use crate::http::wire::body::ListBody;
use crate::http::wire::caching::private;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::node::app::App;

const RULES_MAX: usize = 1_000;

/// The times of one market.
#[derive(Debug, Clone, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"market":"*","contest_days":7,"answer_days":14})))]
pub struct ReviewRuleBody {
    /// The code of a market, or `*` for all others. The narrowest one counts.
    market: String,
    /// The days in which a rider can contest.
    #[schema(minimum = 1, maximum = 90)]
    contest_days: i64,
    /// The days after which an answer is due.
    #[schema(minimum = 1, maximum = 60)]
    answer_days: i64,
}

impl From<ReviewRule> for ReviewRuleBody {
    fn from(rule: ReviewRule) -> Self {
        let ReviewRule { market, contest_days, answer_days } = rule;
        Self { market, contest_days, answer_days }
    }
}

async fn list(app: &App) -> Result<Vec<ReviewRuleBody>, Problem> {
    let rules = app.store.review_rules().await?;
    Ok(rules.into_iter().map(ReviewRuleBody::from).collect())
}

/// List the review rules.
///
/// Without a rule for a market or `*`, a rider can contest for 7 days, and an answer is due after 14
/// days.
#[utoipa::path(
    get, path = "/api/admin/v1/review-rules", tag = "admin-decisions", operation_id = "review_rules",
    responses((status = 200, body = Vec<ReviewRuleBody>), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["administer"]))
)]
pub async fn rules(State(app): State<Arc<App>>, _: May<Administer>) -> Result<Response, Problem> {
    Ok(private(&list(&app).await?))
}

/// Replace the review rules.
///
/// A change holds for what becomes contestable, or is contested, after it.
///
/// - 422 `unknown_market`: a market is unknown.
/// - 422 `invalid_request`: a number is out of its bounds, or a market occurs twice.
#[utoipa::path(
    put, path = "/api/admin/v1/review-rules", tag = "admin-decisions", operation_id = "put_review_rules",
    request_body = Vec<ReviewRuleBody>,
    responses((status = 200, body = Vec<ReviewRuleBody>), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["administer"]))
)]
pub async fn put_rules(
    State(app): State<Arc<App>>,
    May { caller: admin, .. }: May<Administer>,
    ListBody(rules): ListBody<ReviewRuleBody>,
) -> Result<Response, Problem> {
    if rules.len() > RULES_MAX {
        return Err(super::fields::invalid("", "have at most 1,000 rules"));
    }
    let mut markets = HashSet::new();
    for (i, rule) in rules.iter().enumerate() {
        let at = |name: &str| format!("/{i}/{name}");
        if !(1..=90).contains(&rule.contest_days) {
            return Err(super::fields::invalid(&at("contest_days"), "be from 1 to 90"));
        }
        if !(1..=60).contains(&rule.answer_days) {
            return Err(super::fields::invalid(&at("answer_days"), "be from 1 to 60"));
        }
        if rule.market != "*" && app.live.load().markets.asked(&rule.market).is_err() {
            return Err(Problem::unknown_market(&at("market")));
        }
        if !markets.insert(rule.market.as_str()) {
            return Err(super::fields::invalid(&at("market"), "occur once"));
        }
    }
    let rows: Vec<ReviewRule> = rules
        .iter()
        .map(|rule| ReviewRule {
            market: rule.market.clone(),
            contest_days: rule.contest_days,
            answer_days: rule.answer_days,
        })
        .collect();
    app.store.set_review_rules(&rows).await?;
    let text = rows
        .iter()
        .map(|rule| format!("{} {} {}", rule.market, rule.contest_days, rule.answer_days))
        .collect::<Vec<_>>();
    audit_action(&app, &admin.subject, event_about("review_rules_changed", text.join(", "))).await;
    Ok(private(&list(&app).await?))
}
