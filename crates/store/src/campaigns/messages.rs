//! The rows of messages.

use crate::db::batch::table;

table! {
    struct MessageRow in "notice_messages" as MESSAGES {
        id: String,
        campaign: String,
        step: i64,
        person: Option<String>,
        channel: &'static str,
        zone: String,
        locale: Option<String>,
        status: &'static str,
        reason: Option<&'static str>,
        next_at: i64,
        leased_until: i64,
        attempts: i64,
        in_doubt: bool,
        repeated: bool,
        address: Option<String>,
        sha256: Option<String>,
        sent_at: Option<i64>,
        settled_at: Option<i64>,
        outcome: Option<String>,
        outcome_status: Option<String>,
        batch: Option<String>,
        idx: Option<i64>,
        salt: Option<String>,
        record: Option<String>,
        leaf: Option<String>,
    }
}
