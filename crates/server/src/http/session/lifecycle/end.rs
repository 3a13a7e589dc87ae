use musette_core::session::sessions_max;
use musette_store::{SessionsToEnd, StoreError, User};

use crate::http::access::audit::audit;
use crate::node::app::App;

impl App {
    /// Ends sessions, and records their user and the reason in the audit.
    pub async fn end_sessions(
        &self,
        ending: SessionsToEnd<'_>,
        because: &'static str,
        subject: Option<String>,
    ) -> Result<(), StoreError> {
        let sid = match ending {
            SessionsToEnd::One { sid } => Some(sid.to_owned()),
            SessionsToEnd::AllOf { .. } => None,
        };
        if self.end_sessions_of_event(ending, because).await? > 0 {
            audit(self, because, subject, sid, None).await;
        }
        Ok(())
    }

    /// Ends sessions because of an event that has its own row in the audit, and returns how many
    /// were ended. This takes effect at once on this node, and on other nodes with their next poll.
    pub async fn end_sessions_of_event(
        &self,
        ending: SessionsToEnd<'_>,
        because: &'static str,
    ) -> Result<u64, StoreError> {
        let ended = self.store.end_sessions(ending, because, self.now()).await?;
        if let SessionsToEnd::AllOf { user_id } = ending {
            // One of the remembered browsers may be on a stolen phone.
            self.store.delete_known_browsers(user_id).await?;
        }
        self.sessions.forget();
        Ok(ended)
    }

    /// Records that the person of this session has reauthenticated. Returns false if the session
    /// has ended.
    pub async fn reauthenticate_session(&self, sid: &str) -> Result<bool, StoreError> {
        let is_alive = self.store.reauthenticate_session(sid, self.now()).await?;
        self.sessions.forget();
        Ok(is_alive)
    }

    /// Ends the least recently used sessions, so that the user may open one more.
    pub async fn end_surplus_sessions(&self, user: &User) -> Result<(), StoreError> {
        const BECAUSE: &str = "too_many_sessions";
        let keep = sessions_max(&user.roles).saturating_sub(1);
        let ended = self.store.end_surplus_sessions(&user.id, keep, BECAUSE, self.now()).await?;
        if !ended.is_empty() {
            self.sessions.forget();
        }
        for sid in ended {
            audit(self, BECAUSE, Some(user.subject.clone()), Some(sid), None).await;
        }
        Ok(())
    }
}
