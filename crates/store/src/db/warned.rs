//! Detects commits that PostgreSQL warns about. If the wait for the standby is cancelled
//! (`pg_cancel_backend`), COMMIT succeeds with a warning. The committed data is then on one machine
//! only and lost after a failover. The driver only reports warnings to `tracing`, while it reads
//! the response.

use std::cell::Cell;
use std::pin::pin;

thread_local! {
    /// Set if a warning arrives while the future of a commit is polled, which reads the connection
    /// on this thread.
    static IS_WARNED: Cell<bool> = const { Cell::new(false) };
}

/// The `tracing` target of the notices and warnings that PostgreSQL sends with a response.
pub const NOTICES: &str = "sqlx::postgres::notice";

/// Records a warning. The subscriber calls it for each event of the target [`NOTICES`] that is a
/// warning.
pub fn note_warning() {
    IS_WARNED.set(true);
}

/// Returns the result of the commit and whether PostgreSQL warned meanwhile. The kind of a warning
/// cannot be read from it: its text is in the language of the server.
pub(crate) async fn watched<F: Future>(commit: F) -> (F::Output, bool) {
    let mut commit = pin!(commit);
    let mut is_warned = false;
    let result = std::future::poll_fn(|context| {
        IS_WARNED.set(false);
        let polled = commit.as_mut().poll(context);
        is_warned |= IS_WARNED.take();
        polled
    })
    .await;
    (result, is_warned)
}

/// Commits data that must not be lost. After a warning it runs `$write`, which changes nothing, on
/// the same connection until no warning arrives. The standby then has everything before it. Because
/// it is the same connection, another server that took over meanwhile cannot answer.
macro_rules! commit {
    ($connection:expr, $tx:expr, $write:expr) => {{
        use $crate::db::error::StoreError;
        use $crate::db::warned::{CONFIRMATIONS, unconfirmed, watched};
        let (result, mut is_warned) = $crate::traces::committing(watched($tx.commit())).await;
        result.map_err(StoreError::of_commit)?;
        let mut tries = 0;
        while is_warned {
            tries += 1;
            tracing::warn!(
                tries,
                "PostgreSQL reported a warning at a commit: it is confirmed by another commit"
            );
            let confirmation = sqlx::query($write).execute(&mut *$connection);
            let (result, is_warned_again) = watched(confirmation).await;
            result.map_err(StoreError::Uncertain)?;
            is_warned = is_warned_again;
            if is_warned && tries == CONFIRMATIONS {
                return Err(unconfirmed());
            }
        }
    }};
}
pub(crate) use commit;

/// After this many cancelled waits, the operator is assumed not to want to wait.
pub(crate) const CONFIRMATIONS: u32 = 3;

pub(crate) fn unconfirmed() -> super::error::StoreError {
    let text = "the wait for the standby was cancelled repeatedly";
    super::error::StoreError::Uncertain(std::io::Error::other(text).into())
}
