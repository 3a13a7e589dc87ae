//! The report in JSON and CSV. Both have the same figures.

use musette_core::decisions::Status;
use musette_core::decisions::report::ReportRow;
use musette_core::decisions::restrictions::{RestrictionKind, ReviewOutcome};
use musette_core::decisions::suppression::Figure;
use serde::Serialize;

use super::Month;
use crate::platform::csv::write_line;

/// A count from 10, or `<10` for a smaller one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(untagged)]
pub enum ReportedCount {
    /// A count from 10.
    Count(u64),
    /// `<10`.
    Few(String),
}

/// Returns the count as it is published. None: a total that would give a small count away.
fn reported(figure: Figure) -> Option<ReportedCount> {
    match figure {
        Figure::Exact(count) => Some(ReportedCount::Count(count)),
        Figure::Few => Some(ReportedCount::Few("<10".into())),
        Figure::Suppressed => None,
    }
}

fn cell(count: &Option<ReportedCount>) -> String {
    match count {
        Some(ReportedCount::Count(count)) => count.to_string(),
        Some(ReportedCount::Few(few)) => few.clone(),
        None => String::new(),
    }
}

/// The evaluations that were created in a month.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct EvaluationCounts {
    /// All.
    #[schema(required)]
    pub total: Option<ReportedCount>,
    /// Not evaluated yet.
    #[serde(rename = "PENDING")]
    #[schema(required)]
    pub pending: Option<ReportedCount>,
    /// Evaluated, and not accepted yet.
    #[serde(rename = "EVALUATED")]
    #[schema(required)]
    pub evaluated: Option<ReportedCount>,
    /// The rider did not appear.
    #[serde(rename = "NO_SHOW")]
    #[schema(required)]
    pub no_show: Option<ReportedCount>,
    /// In an open discussion.
    #[serde(rename = "IN_DISCUSSION")]
    #[schema(required)]
    pub in_discussion: Option<ReportedCount>,
    /// Accepted by the rider or by lapse of time.
    #[serde(rename = "ACCEPTED")]
    #[schema(required)]
    pub accepted: Option<ReportedCount>,
    /// Rejected by a person.
    #[serde(rename = "REJECTED")]
    #[schema(required)]
    pub rejected: Option<ReportedCount>,
}

/// The contests of these evaluations by riders.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct ContestCounts {
    /// Evaluations that the rider contested.
    #[schema(required)]
    pub contested: Option<ReportedCount>,
    /// Contested evaluations that an answer changed in favour of the rider: to a better status, or
    /// with other figures.
    #[schema(required)]
    pub overturned: Option<ReportedCount>,
    /// The median time from a contest to its answer in seconds. Null for fewer than 10 answers.
    #[schema(required)]
    pub answer_median_seconds: Option<i64>,
    /// The 90th percentile of this time in seconds. Null for fewer than 10 answers.
    #[schema(required)]
    pub answer_p90_seconds: Option<i64>,
}

/// The restrictions that start in a month.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct RestrictionCounts {
    /// All.
    #[schema(required)]
    pub total: Option<ReportedCount>,
    /// Limitations.
    #[schema(required)]
    pub limitation: Option<ReportedCount>,
    /// Suspensions.
    #[schema(required)]
    pub suspension: Option<ReportedCount>,
    /// Terminations.
    #[schema(required)]
    pub termination: Option<ReportedCount>,
}

/// The reviews of these restrictions that riders requested.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct ReviewCounts {
    /// All.
    #[schema(required)]
    pub requested: Option<ReportedCount>,
    /// Not answered yet.
    #[schema(required)]
    pub open: Option<ReportedCount>,
    /// The restriction remained as it was.
    #[schema(required)]
    pub upheld: Option<ReportedCount>,
    /// The restriction was shortened.
    #[schema(required)]
    pub changed: Option<ReportedCount>,
    /// The restriction was ended.
    #[schema(required)]
    pub lifted: Option<ReportedCount>,
}

/// The figures of one month and market.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct DecisionsReportRow {
    /// The month, `YYYY-MM`.
    pub month: String,
    /// The market, with the markets inside it. Null for everything.
    #[schema(required)]
    pub market: Option<String>,
    /// Evaluations by status.
    pub evaluations: EvaluationCounts,
    /// Contests and the time to answer.
    #[serde(flatten)]
    pub contests: ContestCounts,
    /// Restrictions by kind.
    pub restrictions: RestrictionCounts,
    /// Reviews of restrictions by outcome.
    pub reviews: ReviewCounts,
}

/// Counts by month and market.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct DecisionsReport {
    /// The first month.
    pub from: String,
    /// The last month.
    pub to: String,
    /// The rows by month, then by market.
    pub items: Vec<DecisionsReportRow>,
}

const COLUMNS: [&str; 22] = [
    "month",
    "market",
    "evaluations",
    "pending",
    "evaluated",
    "no_show",
    "in_discussion",
    "accepted",
    "rejected",
    "contested",
    "overturned",
    "answer_median_seconds",
    "answer_p90_seconds",
    "restrictions",
    "limitation",
    "suspension",
    "termination",
    "reviews",
    "reviews_open",
    "upheld",
    "changed",
    "lifted",
];

impl DecisionsReport {
    pub(super) fn new(from: Month, to: Month, rows: &[(Month, ReportRow)]) -> Self {
        let items = rows.iter().map(|(month, row)| DecisionsReportRow::new(*month, row));
        Self { from: from.to_string(), to: to.to_string(), items: items.collect() }
    }

    /// Returns the report as CSV. A suppressed total is an empty cell.
    pub(super) fn csv(&self) -> Vec<u8> {
        let mut out = Vec::new();
        write_line(&mut out, COLUMNS);
        self.items.iter().for_each(|row| write_line(&mut out, row.cells()));
        out
    }
}

impl DecisionsReportRow {
    fn new(month: Month, row: &ReportRow) -> Self {
        let status = |status| reported(row.status(status));
        let kind = |kind| reported(row.kind(kind));
        let outcome = |outcome| reported(row.reviews_with(outcome));
        let seconds = |millis: Option<i64>| millis.map(|millis| millis / 1000);
        Self {
            month: month.to_string(),
            market: row.market.as_ref().map(ToString::to_string),
            evaluations: EvaluationCounts {
                total: reported(row.evaluations()),
                pending: status(Status::Pending),
                evaluated: status(Status::Evaluated),
                no_show: status(Status::NoShow),
                in_discussion: status(Status::InDiscussion),
                accepted: status(Status::Accepted),
                rejected: status(Status::Rejected),
            },
            contests: ContestCounts {
                contested: reported(row.contested()),
                overturned: reported(row.overturned()),
                answer_median_seconds: seconds(row.median_ms),
                answer_p90_seconds: seconds(row.p90_ms),
            },
            restrictions: RestrictionCounts {
                total: reported(row.restrictions()),
                limitation: kind(RestrictionKind::Limitation),
                suspension: kind(RestrictionKind::Suspension),
                termination: kind(RestrictionKind::Termination),
            },
            reviews: ReviewCounts {
                requested: reported(row.reviews()),
                open: outcome(None),
                upheld: outcome(Some(ReviewOutcome::Upheld)),
                changed: outcome(Some(ReviewOutcome::Changed)),
                lifted: outcome(Some(ReviewOutcome::Lifted)),
            },
        }
    }

    fn cells(&self) -> [String; COLUMNS.len()] {
        let seconds = |seconds: Option<i64>| seconds.map(|n| n.to_string()).unwrap_or_default();
        let (evaluations, contests) = (&self.evaluations, &self.contests);
        let (restrictions, reviews) = (&self.restrictions, &self.reviews);
        [
            self.month.clone(),
            self.market.clone().unwrap_or_default(),
            cell(&evaluations.total),
            cell(&evaluations.pending),
            cell(&evaluations.evaluated),
            cell(&evaluations.no_show),
            cell(&evaluations.in_discussion),
            cell(&evaluations.accepted),
            cell(&evaluations.rejected),
            cell(&contests.contested),
            cell(&contests.overturned),
            seconds(contests.answer_median_seconds),
            seconds(contests.answer_p90_seconds),
            cell(&restrictions.total),
            cell(&restrictions.limitation),
            cell(&restrictions.suspension),
            cell(&restrictions.termination),
            cell(&reviews.requested),
            cell(&reviews.open),
            cell(&reviews.upheld),
            cell(&reviews.changed),
            cell(&reviews.lifted),
        ]
    }
}
