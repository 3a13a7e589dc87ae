//! Fills a store with many riders who have accepted all terms.

use super::program::{Program, run};
use super::rows::Rows;

pub struct Fill {
    pub riders: u64,
    /// The number of riders, the last ones, who have decided nothing.
    pub undecided: u64,
}

impl Fill {
    pub fn undecided_riders(&self) -> impl Iterator<Item = String> {
        (self.riders - self.undecided + 1..=self.riders).map(|i| format!("r{i}"))
    }

    pub async fn write(&self, store: &[String]) {
        run(store, &["user", "add", "--id", "admin", "--role", "admin"]);
        // The first start creates the keys and the log.
        Program::start_on(store.to_vec()).publish_terms();
        let mut rows = Rows::open(store).await;
        let (riders, decided) = (self.riders, self.riders - self.undecided);
        let count = |to: u64| {
            format!(
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {to})"
            )
        };
        // A number of 12 digits.
        let digits = "substr(CAST(1000000000000 + i AS TEXT), 2)";
        let subject = format!("'0193a6f2-7c00-7000-9000-' || {digits}");
        let (all, decided_only) = (count(riders), count(decided));
        rows.run(&format!(
            "{all} INSERT INTO subjects (ref, key)
                SELECT {subject}, '{zeros}' || {digits} FROM n;
            {all} INSERT INTO users (id, subject, created_at)
                SELECT 'r' || i, {subject}, 1760745600000 FROM n;
            {all} INSERT INTO user_roles (user_id, role) SELECT 'r' || i, 'rider' FROM n;
            {decided_only} INSERT INTO submissions
                (seq, entry_id, subject, person, user_type, recorded_at, locale)
                SELECT (SELECT next_seq FROM submission_head) + i, '0193a6f2-7c00-7000-8000-' || {digits},
                {subject}, {subject}, 'RIDER', 1760745600000, 'en' FROM n;
            {decided_only} INSERT INTO consents (submission, position, person, term_id, accepted,
                consented_at, consented_at_text, sha256, evidence)
                SELECT (SELECT next_seq FROM submission_head) + i, v.term_id - 1, {subject}, v.term_id,
                TRUE, 1760745600000, '2025-10-18T00:00:00.000Z', v.sha256, 'presented'
                FROM n CROSS JOIN (SELECT term_id, sha256 FROM term_variants WHERE position = 0) AS v;
            UPDATE submission_head SET next_seq = next_seq + {decided} + 1",
            zeros = "0".repeat(52),
        ))
        .await;
        // PostgreSQL would update its statistics only some minutes later. SQLite plans without
        // statistics: those of empty tables would mislead it.
        if let Rows::Postgres(..) = &rows {
            rows.run("ANALYZE").await;
        }
    }
}
