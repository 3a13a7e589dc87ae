//! A message to several colleagues about one object.

use musette_core::session::{Role, RoleGrant};
use musette_store::{Person, PersonFilter, StoreError};

use crate::http::access::permission::Reach;
use crate::node::app::App;
use crate::sessions::delivery::NotificationKind;

const PEOPLE_MAX: i64 = 500;

/// A pending or rejected change or a publication, and the people to notify.
pub(super) struct Notification {
    pub(super) kind: NotificationKind,
    pub(super) subject: &'static str,
    pub(super) object: String,
    pub(super) name: String,
    /// The time of the event. People who were notified before it are notified again.
    pub(super) since: i64,
    pub(super) people: Vec<Person>,
    /// The page of the console, such as `/approvals`.
    pub(super) page: String,
}

/// Returns the markets and environments in which the person has these roles.
pub(super) fn reach(person: &Person, roles: &[Role]) -> Option<Reach> {
    let grants: Vec<_> =
        person.roles.iter().filter_map(|role| RoleGrant::from_stored(role)).collect();
    Reach::of_grants(&grants, roles)
}

/// Returns the people with at least one of these roles, without duplicates.
pub(super) async fn reviewers(app: &App, roles: &[Role]) -> Result<Vec<Person>, StoreError> {
    let mut all = Vec::new();
    for role in roles {
        let filter = PersonFilter { role: Some(*role), ..PersonFilter::default() };
        all.extend(app.store.find_people(&filter, PEOPLE_MAX).await?);
    }
    all.sort_unstable_by(|a: &Person, b| a.id.cmp(&b.id));
    all.dedup_by(|a, b| a.id == b.id);
    Ok(all)
}
