//! The texts about evaluations, restrictions and messages of campaigns.

use serde::Serialize;

pub mod ar;
pub mod de;
pub mod en;

/// A name in braces is a placeholder.
#[derive(Serialize)]
pub struct WorkTexts {
    pub evaluations: &'static str,
    pub restrictions: &'static str,
    /// Under the headings above.
    pub objects_note: &'static str,
    pub messages: &'static str,
    pub messages_note: &'static str,
    pub evaluation: &'static str,
    pub restriction: &'static str,
    pub all_versions: &'static str,
    /// On the page of one evaluation or restriction.
    pub page_note: &'static str,
    pub status: &'static str,
    /// `{n}`
    pub version: &'static str,
    pub decided_by: &'static str,
    pub decided_at: &'static str,
    pub recorded: &'static str,
    pub by_service: &'static str,
    pub by_human: &'static str,
    pub by_rider: &'static str,
    pub by_lapse: &'static str,
    pub dispatcher: &'static str,
    pub reviewer: &'static str,
    pub program: &'static str,
    pub work: &'static str,
    pub planned: &'static str,
    pub market: &'static str,
    pub figures: &'static str,
    pub rider_figures: &'static str,
    pub planned_minutes: &'static str,
    pub worked_minutes: &'static str,
    pub late_by_seconds: &'static str,
    pub early_by_seconds: &'static str,
    pub overtime_seconds: &'static str,
    pub reasons: &'static str,
    pub statement: &'static str,
    pub message: &'static str,
    pub contest_until: &'static str,
    pub answer_due: &'static str,
    pub final_since: &'static str,
    pub kind: &'static str,
    pub limitation: &'static str,
    pub suspension: &'static str,
    pub termination: &'static str,
    pub contact: &'static str,
    pub starts_at: &'static str,
    pub ends_at: &'static str,
    pub ended_at: &'static str,
    pub review_request: &'static str,
    pub review_answer: &'static str,
    pub upheld: &'static str,
    pub changed: &'static str,
    pub lifted_by_review: &'static str,
    pub pending: &'static str,
    pub evaluated: &'static str,
    pub no_show: &'static str,
    pub in_discussion: &'static str,
    pub accepted: &'static str,
    pub rejected: &'static str,
    pub proposed: &'static str,
    pub dismissed: &'static str,
    pub imposed: &'static str,
    pub lifted: &'static str,
    pub expired: &'static str,
    pub app: &'static str,
    pub email: &'static str,
    pub push: &'static str,
    /// `{t}`
    pub sent: &'static str,
    pub served: &'static str,
    pub bounced: &'static str,
    pub failed: &'static str,
    pub repeated: &'static str,
    pub proof: &'static str,
}

impl WorkTexts {
    /// Returns the name of a status, a kind, a role or another value of a fixed set. An unknown value
    /// of a later version remains as it is.
    pub fn name<'a>(&self, value: &'a str) -> &'a str
    where
        'static: 'a,
    {
        match value {
            "PENDING" => self.pending,
            "EVALUATED" => self.evaluated,
            "NO_SHOW" => self.no_show,
            "IN_DISCUSSION" => self.in_discussion,
            "ACCEPTED" => self.accepted,
            "REJECTED" => self.rejected,
            "PROPOSED" => self.proposed,
            "DISMISSED" => self.dismissed,
            "IMPOSED" => self.imposed,
            "LIFTED" => self.lifted,
            "EXPIRED" => self.expired,
            "service" => self.by_service,
            "human" => self.by_human,
            "rider" => self.by_rider,
            "lapse" => self.by_lapse,
            "dispatcher" => self.dispatcher,
            "reviewer" => self.reviewer,
            "limitation" => self.limitation,
            "suspension" => self.suspension,
            "termination" => self.termination,
            "upheld" => self.upheld,
            "changed" => self.changed,
            "lifted" => self.lifted_by_review,
            "app" => self.app,
            "email" => self.email,
            "push" => self.push,
            "sms" => "SMS",
            "webhook" => "Webhook",
            "accepted" => self.served,
            "bounced" => self.bounced,
            "failed" => self.failed,
            other => other,
        }
    }
}
