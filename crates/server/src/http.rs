//! All routes and layers.

pub mod admin;
mod apply_page;
pub mod assets;
pub mod caching;
pub mod caller;
pub mod claims;
pub mod consents;
mod deadline;
pub mod demo;
pub mod documents;
pub mod durations;
pub mod flags;
pub mod flags_only;
mod forwarded;
pub mod health;
pub mod json;
pub mod language;
mod large_body;
pub mod layer;
pub mod log;
pub mod markets;
pub mod ofrep;
pub mod openapi;
pub mod origin;
pub mod parameters;
pub mod permission;
pub mod problem;
mod public_markets;
pub mod query;
pub mod receipts;
pub mod sealed;
pub mod security_txt;
pub mod session;
pub mod shape;
pub mod terms;

use std::sync::Arc;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};
use utoipa_axum::routes;

use crate::app::App;

/// A collector of routes: the API document with all its descriptions, or a server without them. The
/// descriptions would take megabytes of memory from the start, but are rarely requested.
pub trait RouteCollector: Sized {
    fn routes(self, routes: UtoipaMethodRouter<Arc<App>>) -> Self;
}

impl RouteCollector for OpenApiRouter<Arc<App>> {
    fn routes(self, routes: UtoipaMethodRouter<Arc<App>>) -> Self {
        self.routes(routes)
    }
}

impl RouteCollector for Router<Arc<App>> {
    fn routes(self, (_, paths, methods): UtoipaMethodRouter<Arc<App>>) -> Self {
        paths.paths.into_keys().fold(self, |router, path| router.route(&path, methods.clone()))
    }
}

/// Adds the routes that the API document lists.
pub fn api<R: RouteCollector>(routes: R) -> R {
    console_flags_api(console_api(routes))
        .routes(routes!(terms::terms))
        .routes(routes!(terms::public_terms))
        .routes(routes!(public_markets::public_markets))
        .routes(routes!(terms::outstanding_terms))
        .routes(routes!(consents::submit))
        .routes(routes!(consents::consents))
        .routes(routes!(consents::history))
        .routes(routes!(claims::claim))
        .routes(routes!(receipts::receipt))
        .routes(routes!(receipts::look_up))
        .routes(routes!(receipts::read_receipt))
        .routes(routes!(log::checkpoint))
        .routes(routes!(log::key))
        .routes(routes!(log::keys))
        .routes(routes!(documents::document_part))
        .routes(routes!(session::refresh::refresh))
        .routes(routes!(session::codes::send_code))
        .routes(routes!(session::codes::code_tokens))
        .routes(routes!(session::console::console_tokens))
        .routes(routes!(session::links::redeem_link))
        .routes(routes!(session::password::change_password))
        .routes(routes!(session::reauthentication::reauthenticate))
        .routes(routes!(
            session::authenticator::state,
            session::authenticator::offer,
            session::authenticator::set_up
        ))
        .routes(routes!(session::oidc::sign_in_options))
        .routes(routes!(session::oidc::start))
        .routes(routes!(session::oidc::callback))
        .routes(routes!(session::oidc_reauthentication::start_reauthentication))
        .routes(routes!(session::logout::logout))
        .routes(routes!(session::logout::logout_all))
        .routes(routes!(session::devices::me))
        .routes(routes!(admin::person_data::own_data))
        .routes(routes!(session::devices::sessions))
        .routes(routes!(session::devices::end_session))
        .routes(routes!(flags::schema::schema))
        .routes(routes!(demo::people))
        .routes(routes!(demo::open_session))
        .routes(routes!(demo::code))
        .routes(routes!(health::healthz))
        .routes(routes!(health::readyz))
        .routes(routes!(health::jwks))
        .routes(routes!(security_txt::security_txt))
}

/// Adds the console's routes for terms, people and decisions.
fn console_api<R: RouteCollector>(routes: R) -> R {
    routes
        .routes(routes!(admin::terms::terms))
        .routes(routes!(admin::terms::term))
        .routes(routes!(admin::term_endings::cancel, admin::term_endings::undo_cancellation))
        .routes(routes!(admin::term_endings::retire, admin::term_endings::undo_retirement))
        .routes(routes!(admin::term_order::term_order, admin::term_order::put_term_order))
        .routes(routes!(admin::coverage::coverage))
        .routes(routes!(admin::coverage::missing))
        .routes(routes!(admin::drafts::drafts, admin::drafts::add_draft))
        .routes(routes!(
            admin::drafts::draft,
            admin::drafts::change_draft,
            admin::drafts::drop_draft
        ))
        .routes(routes!(admin::drafts::put_document))
        .routes(routes!(admin::drafts::check))
        .routes(routes!(admin::drafts::publish))
        .routes(routes!(admin::approvals::rules, admin::approvals::put_rules))
        .routes(routes!(admin::approvals::approve_draft, admin::approvals::withdraw_from_draft))
        .routes(routes!(admin::approvals::reject_draft))
        .routes(routes!(admin::proposals::proposals, admin::proposals::propose))
        .routes(routes!(admin::proposals::proposal, admin::proposals::cancel_proposal))
        .routes(routes!(admin::proposals::apply_proposal))
        .routes(routes!(
            admin::approvals::approve_proposal,
            admin::approvals::withdraw_from_proposal
        ))
        .routes(routes!(admin::approvals::reject_proposal))
        .routes(routes!(admin::people::people, admin::people::add_person))
        .routes(routes!(admin::people::person, admin::erasure::erase))
        .routes(routes!(admin::people_import::import_people))
        .routes(routes!(admin::markets::markets))
        .routes(routes!(admin::markets::put_market, admin::markets::remove_market))
        .routes(routes!(admin::markets::move_person))
        .routes(routes!(admin::consents::consents))
        .routes(routes!(admin::consents::export))
        .routes(routes!(admin::log::log))
        .routes(routes!(admin::receipts::verify))
        .routes(routes!(receipts::receipt_of_anybody))
        .routes(routes!(receipts::read_receipt_of_anybody))
        .routes(routes!(admin::person_data::person_data))
        .routes(routes!(admin::standing::standing))
        .routes(routes!(admin::case_file::case_file))
        .routes(routes!(admin::overview::overview))
        .routes(routes!(admin::settings::settings))
        .routes(routes!(admin::settings::test_delivery))
        .routes(routes!(admin::roles::set_roles))
        .routes(routes!(admin::service_keys::keys, admin::service_keys::create_key))
        .routes(routes!(admin::service_keys::key, admin::service_keys::revoke_key))
        .routes(routes!(admin::links::make_link))
        .routes(routes!(admin::sessions::sessions, admin::sessions::end_sessions))
        .routes(routes!(admin::sessions::end_session))
        .routes(routes!(admin::audit::audit))
        .routes(routes!(admin::events::events))
        .routes(routes!(admin::gate::gate))
        .routes(routes!(admin::webhooks::webhooks, admin::webhooks::add_webhook))
        .routes(routes!(
            admin::webhooks::webhook,
            admin::webhooks::change_webhook,
            admin::webhooks::delete_webhook
        ))
        .routes(routes!(admin::webhooks::rotate_secret))
        .routes(routes!(admin::webhooks::test_webhook))
        .routes(routes!(admin::webhooks::webhook_deliveries))
        .routes(routes!(admin::webhooks::resend_delivery))
}

/// Adds the console's routes for flags.
fn console_flags_api<R: RouteCollector>(routes: R) -> R {
    routes
        .routes(routes!(admin::environments::environments))
        .routes(routes!(
            admin::environments::put_environment,
            admin::environments::archive_environment
        ))
        .routes(routes!(admin::flags::flags, admin::flags::put_flags))
        .routes(routes!(admin::flags::switch))
        .routes(routes!(admin::flags::check))
        .routes(routes!(admin::flags::copy))
        .routes(routes!(admin::flags::evaluate))
        .routes(routes!(admin::flags::stale))
        .routes(routes!(admin::flags::versions))
        .routes(routes!(admin::flags::version))
        .routes(routes!(admin::flags::compare))
        .routes(routes!(admin::flags::revert))
        .routes(routes!(admin::flags::changes, admin::flags::schedule))
        .routes(routes!(admin::flags::change, admin::flags::cancel))
        .routes(routes!(admin::approvals::approve_change, admin::approvals::withdraw_from_change))
        .routes(routes!(admin::approvals::reject_change))
        .routes(routes!(admin::flags::apply))
        .routes(routes!(admin::keys::keys, admin::keys::create_key))
        .routes(routes!(admin::keys::revoke_key))
        .routes(routes!(admin::metrics::metric_names))
        .routes(routes!(admin::experiments::experiment_results))
        .routes(routes!(admin::experiments::experiment_daily_results))
        .routes(routes!(admin::decisions::decisions, admin::decisions::decide))
        .routes(routes!(admin::holdouts::holdout_results))
        .routes(routes!(admin::holdouts::holdout_daily_results))
        .routes(routes!(admin::results::sample_size::sample_size))
}

pub fn router(app: Arc<App>) -> Router {
    let api = api(Router::new())
        // The router cannot match a suffix, so the document's route takes the whole file name. The
        // API document describes it as `{sha256}.pdf`.
        .route("/documents/{file}", axum::routing::get(documents::document))
        // The path of a tile has as many segments as its number has groups of digits.
        .route("/log/tile/{*path}", axum::routing::get(log::tile))
        .route("/log/{name}/checkpoint", axum::routing::get(log::named_checkpoint))
        .route("/log/{name}/tile/{*path}", axum::routing::get(log::named_tile))
        .route("/openapi.json", axum::routing::get(openapi::document))
        .fallback(assets::fallback);
    let api = if app.flags_only { api.layer(from_fn(flags_only::gate)) } else { api };
    api.layer(from_fn_with_state(Arc::clone(&app), deadline::around))
        .layer(from_fn_with_state(Arc::clone(&app), layer::around))
        .with_state(app)
}
