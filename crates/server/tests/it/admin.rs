//! `/api/admin/v1`: the API of the console.

mod approval;
mod audit;
mod case_file;
mod contacts;
pub mod coverage;
mod document_checks;
mod drafts;
mod evidence;
mod lists;
mod market_grants;
mod people;
mod representative;
mod roles;
mod settings;
mod slow_uploads;
mod standing;
mod term_endings;
mod term_order;

use crate::app::TestApp;
use crate::store::{Engine, TestStore};

pub const ADMIN: &str = "/api/admin/v1";

/// A server with the admin `a1`, the operator `o1` and the rider `r1`.
pub struct Console {
    pub app: TestApp,
    pub admin: String,
    pub operator: String,
    pub rider: String,
}

impl Console {
    pub fn start(engine: Engine) -> Self {
        Self::serve(TestStore::new(engine))
    }

    pub fn serve(store: TestStore) -> Self {
        let store = store.with_rider("r1");
        store.add_user("o1", &["operator"]);
        store.command(&["user", "add", "--id", "a1", "--role", "admin"]).expect_success();
        let (admin, operator, rider) = (store.token("a1"), store.token("o1"), store.token("r1"));
        Self { app: TestApp::serve(store), admin, operator, rider }
    }
}
