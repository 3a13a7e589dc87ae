//! Commits that PostgreSQL warns about. When the wait for the standby is cancelled (`pg_cancel_backend`), COMMIT
//! succeeds with a warning, and what it committed is on one machine only: it is gone after a failover. The driver
//! hands warnings to `tracing` while it reads the answer, and to nobody else.

use std::cell::Cell;
use std::pin::pin;

thread_local! {
    /// Set while the future of a commit is polled, which reads the connection on this thread.
    static IS_WARNED: Cell<bool> = const { Cell::new(false) };
}

/// Under this target the driver emits what PostgreSQL says beside an answer.
pub const NOTICES: &str = "sqlx::postgres::notice";

/// To be called by whoever receives an event under [`NOTICES`] that is a warning.
pub fn note_warning() {
    IS_WARNED.set(true);
}

/// The commit's outcome, and whether PostgreSQL warned meanwhile. Of which kind the warning is cannot be read
/// from it: its text is in the server's language.
pub(crate) async fn watched<F: Future>(commit: F) -> (F::Output, bool) {
    let mut commit = pin!(commit);
    let mut is_warned = false;
    let done = std::future::poll_fn(|context| {
        IS_WARNED.set(false);
        let polled = commit.as_mut().poll(context);
        is_warned |= IS_WARNED.take();
        polled
    })
    .await;
    (done, is_warned)
}

/// Commits what must not be lost. After a warning the connection commits `$write`, which changes nothing, until
/// it is not warned about: the standby then has everything before it. It is the same connection, so no other
/// server that took over meanwhile can answer.
macro_rules! commit {
    ($connection:expr, $tx:expr, $write:expr) => {{
        use $crate::db::error::StoreError;
        use $crate::db::warned::{CONFIRMATIONS, unconfirmed, watched};
        let (done, mut is_warned) = $crate::traces::committing(watched($tx.commit())).await;
        done.map_err(StoreError::of_commit)?;
        let mut tries = 0;
        while is_warned {
            tries += 1;
            tracing::warn!(
                tries,
                "PostgreSQL reported a warning at a commit: it is confirmed by another commit"
            );
            let again = sqlx::query($write).execute(&mut *$connection);
            let (done, is_warned_again) = watched(again).await;
            done.map_err(StoreError::Uncertain)?;
            is_warned = is_warned_again;
            if is_warned && tries == CONFIRMATIONS {
                return Err(unconfirmed());
            }
        }
    }};
}
pub(crate) use commit;

/// Somebody who cancels so often does not want to wait.
pub(crate) const CONFIRMATIONS: u32 = 3;

pub(crate) fn unconfirmed() -> super::error::StoreError {
    let text = "the wait for the standby was cancelled again and again";
    super::error::StoreError::Uncertain(std::io::Error::other(text).into())
}
