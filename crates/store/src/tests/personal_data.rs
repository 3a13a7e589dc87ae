//! Checks that the copy of a person's data considers every table and every column.

use std::collections::BTreeSet;

use musette_core::session::SignInMethod;

use super::{NOW, add_user, on_both, store};
use crate::db::Db;
use crate::people::personal_data::TABLES;
use crate::{Engine, NewSession, Store};

on_both!(every_table_is_considered, rows_contain_no_secrets);

/// Tables whose data is in other members of the copy: decisions with their receipts, audit entries,
/// participation.
const IN_OTHER_MEMBERS: [&str; 10] = [
    "submissions",
    "consents",
    "decisions",
    "log_entries",
    "audit",
    "audit_counts",
    "sticky",
    "exposures",
    "metric_values",
    "erasures",
];

/// Tables that identify no person, or only by a hash of something that the person typed
/// (`throttles`, `allowances`). Check a new table before you add it here.
const IMPERSONAL: [&str; 53] = [
    "_sqlx_migrations",
    "allowances",
    "approval_rules",
    "campaign_passes",
    "chain_links",
    "code_deliveries",
    "counters",
    "document_parts",
    "documents",
    "flag_environments",
    "flag_keys",
    "flag_notices",
    "flag_usage",
    "flag_version_objects",
    "gate_erased",
    "gate_head",
    "log_cosigned",
    "log_heads",
    "log_key",
    "log_ml_dsa_keys",
    "log_tiles",
    "log_timestamps",
    "log_verified",
    "log_witness_lease",
    "logs",
    "markets",
    "moves",
    "nodes",
    "notice_batches",
    "oidc_returns",
    "outbox_head",
    "review_rules",
    "revision",
    "seals",
    "secrets",
    "service_keys",
    "series",
    "served_at",
    "signing_keys",
    "sqlite_sequence",
    "sticky_head",
    "submission_head",
    "system_versions",
    "term_endings",
    "term_order",
    "term_turns",
    "term_variants",
    "terms",
    "throttles",
    "used_tickets",
    "webhook_deliveries",
    "webhook_secrets",
    "webhooks",
];

/// Names of columns that refer to people.
const PERSONAL_COLUMNS: [&str; 11] = [
    "user_id",
    "subject",
    "person",
    "unit",
    "author",
    "actor",
    "updated_by",
    "email",
    "phone",
    "identifier",
    "sid",
];

async fn columns(store: &Store) -> BTreeSet<(String, String)> {
    let rows: Vec<(String, String)> = match &store.db {
        Db::Sqlite(pools) => sqlx::query_as(
            "SELECT m.name, p.name FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS p
            WHERE m.type = 'table'",
        )
        .fetch_all(&pools.read)
        .await
        .expect("reads"),
        Db::Postgres(pools) => sqlx::query_as(
            "SELECT CAST(table_name AS TEXT), CAST(column_name AS TEXT)
            FROM information_schema.columns WHERE table_schema = current_schema()",
        )
        .fetch_all(&pools.read)
        .await
        .expect("reads"),
    };
    rows.into_iter().collect()
}

async fn every_table_is_considered(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let columns = columns(&store).await;
    let tables: BTreeSet<&str> = columns.iter().map(|(table, _)| table.as_str()).collect();
    for table in &tables {
        let included =
            usize::from(TABLES.iter().any(|included_table| included_table.name == *table));
        let elsewhere = usize::from(IN_OTHER_MEMBERS.contains(table));
        let impersonal = usize::from(IMPERSONAL.contains(table));
        assert_eq!(
            included + elsewhere + impersonal,
            1,
            "{table}: declare in people/personal_data.rs whether it is part of the copy of a person's data"
        );
    }
    for table in TABLES {
        let actual: BTreeSet<&str> = columns
            .iter()
            .filter(|(name, _)| name == table.name)
            .map(|(_, column)| column.as_str())
            .collect();
        let listed: BTreeSet<&str> = table.columns.iter().chain(table.without).copied().collect();
        assert_eq!(actual, listed, "columns of {}", table.name);
    }
    for (table, column) in &columns {
        let is_personal = PERSONAL_COLUMNS.contains(&column.as_str());
        assert!(!is_personal || !IMPERSONAL.contains(&table.as_str()), "{table}.{column}");
    }
}

async fn rows_contain_no_secrets(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let user = add_user(&store, "r1").await;
    add_user(&store, "r2").await;
    store.set_password("r1", "a-password-hash", None, NOW).await.expect("sets");
    let session = |user_id: &str| NewSession {
        sid: format!("sid-{user_id}"),
        user_id: user_id.into(),
        salt: "a-salt".into(),
        device: "Chrome".into(),
        method: SignInMethod::Code,
        idle_until: NOW,
        absolute_until: NOW,
    };
    for id in ["r1", "r2"] {
        store.open_session(&session(id), NOW).await.expect("opens");
    }
    let rows = store.rows_of_person("r1", &user.subject).await.expect("reads");
    assert_eq!(rows["sessions"].len(), 1);
    assert_eq!(rows["sessions"][0]["sid"], "sid-r1");
    assert_eq!(rows["users"][0]["id"], "r1");
    assert_eq!(rows["user_roles"].len(), 1);
    assert_eq!(rows.len(), TABLES.len());
    let text = serde_json::to_string(&rows).expect("JSON");
    assert!(!text.contains("a-password-hash") && !text.contains("a-salt"), "{text}");
    assert!(!text.contains("r2"), "no other person: {text}");
}
