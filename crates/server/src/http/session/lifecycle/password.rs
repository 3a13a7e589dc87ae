use musette_store::{StoreError, User};

use crate::http::access::audit::audit;
use crate::node::app::App;

impl App {
    /// Sets a user's password and ends all other sessions than `kept_sid`: on this node at once, on
    /// other nodes with their next poll. `manner` says how it was set, for the audit.
    pub async fn set_password(
        &self,
        user: &User,
        hash: &str,
        kept_sid: Option<&str>,
        manner: &'static str,
    ) -> Result<(), StoreError> {
        self.store.set_password(&user.id, hash, kept_sid, self.now()).await?;
        self.sessions.forget();
        let sid = kept_sid.map(str::to_owned);
        audit(self, "password_set", Some(user.subject.clone()), sid, Some(manner)).await;
        Ok(())
    }
}
