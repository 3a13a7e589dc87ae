use musette_core::session::sessions_max;
use musette_store::{Ending, StoreError, User};

use crate::app::App;
use crate::audit::audit;

impl App {
    /// Ends sessions, and keeps that they ended, of whom and why.
    pub async fn end_sessions(
        &self,
        ending: Ending<'_>,
        because: &'static str,
        subject: Option<String>,
    ) -> Result<(), StoreError> {
        let sid = match ending {
            Ending::One { sid } => Some(sid.to_owned()),
            Ending::AllOf { .. } => None,
        };
        if self.end_sessions_of_event(ending, because).await? > 0 {
            audit(self, because, subject, sid, None).await;
        }
        Ok(())
    }

    /// Ends sessions because of an event that has its own row in the audit; how many. Here they end at
    /// once, on other nodes as soon as they look.
    pub async fn end_sessions_of_event(
        &self,
        ending: Ending<'_>,
        because: &'static str,
    ) -> Result<u64, StoreError> {
        let ended = self.store.end_sessions(ending, because, self.now()).await?;
        if let Ending::AllOf { user_id } = ending {
            // A stolen phone is one of them.
            self.store.forget_browsers(user_id).await?;
        }
        self.sessions.forget();
        Ok(ended)
    }

    /// Records that the person of this session proved again who they are; false if the session has ended.
    pub async fn reauthenticate_session(&self, sid: &str) -> Result<bool, StoreError> {
        let is_alive = self.store.reauthenticate_session(sid, self.now()).await?;
        self.sessions.forget();
        Ok(is_alive)
    }

    /// Makes room for one more session: the one that was not used for longest ends.
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
