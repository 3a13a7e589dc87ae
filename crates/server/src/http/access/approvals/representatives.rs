//! Publications that representatives are notified of: texts and automated systems in their market.
//!
//! The notices are queued and leased like those of approvals: one for each publication and person,
//! also with several nodes and after a restart.

use std::sync::Arc;

use musette_core::instant::Instant;
use musette_core::markets::Market;
use musette_core::session::Role;
use musette_store::{Person, StoreError};

use super::notification::{Notification, reach, reviewers};
use crate::http::access::permission::Reach;
use crate::http::terms::console::title;
use crate::node::app::App;
use crate::sessions::delivery::NotificationKind;

/// A publication is looked at for this long, so that a stopped server still notifies of it. The
/// sent notices are kept for longer.
const RECENT_MS: i64 = 7 * 24 * 60 * 60 * 1000;
const TEXTS: &str = "texts";
const SYSTEMS: &str = "systems";

/// Returns the recent publications with the representatives of their markets.
pub(super) async fn publications(app: &App, now: Instant) -> Result<Vec<Notification>, StoreError> {
    let representatives = reviewers(app, &[Role::Representative]).await?;
    if representatives.is_empty() {
        return Ok(Vec::new());
    }
    let since = now.millis().saturating_sub(RECENT_MS);
    let in_any = |markets: &[Option<Market>]| -> Vec<Person> {
        let represents = |person: &&Person| {
            let touches =
                |reach: Reach| markets.iter().any(|market| reach.touches(market.as_ref()));
            reach(person, &[Role::Representative]).is_some_and(touches)
        };
        representatives.iter().filter(represents).cloned().collect()
    };
    let catalog = Arc::clone(&app.live.load().catalog);
    let recent = catalog.all().iter().filter(|term| {
        term.published_at.millis() > since && catalog.cancelled_at(term.id).is_none()
    });
    let mut all: Vec<Notification> = recent
        .map(|term| Notification {
            kind: NotificationKind::Scheduled,
            subject: TEXTS,
            object: term.id.to_string(),
            name: format!("{} ({})", title(term, &[]), term.kind),
            since: term.published_at.millis(),
            people: in_any(std::slice::from_ref(&term.market)),
            page: format!("/terms/{}", term.id),
        })
        .collect();
    let register = app.store.system_register().await?;
    let recent = register.all().iter().filter(|version| version.published_at.millis() > since);
    all.extend(recent.map(|version| {
        let codes = version.definition.markets.iter();
        let mut markets: Vec<_> = codes.map(|code| Market::from_stored(code)).collect();
        if markets.is_empty() {
            markets.push(None);
        }
        Notification {
            kind: NotificationKind::Scheduled,
            subject: SYSTEMS,
            object: format!("{} {}", version.key, version.version),
            name: version.definition.name.clone(),
            since: version.published_at.millis(),
            people: in_any(&markets),
            page: format!("/automated-systems/{}", version.key),
        }
    }));
    Ok(all)
}
