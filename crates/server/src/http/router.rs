//! All routes and layers.

use std::sync::Arc;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};
use utoipa_axum::routes;

use super::{
    access, campaigns, consents, decisions, evidence, experiments, flags, integration, layers,
    markets, node, notices, people, session, terms,
};
use crate::node::app::App;

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
    campaigns_api(notices_api(decisions_api(console_flags_api(console_api(routes)))))
        .routes(routes!(terms::terms))
        .routes(routes!(terms::public_terms))
        .routes(routes!(markets::public::public_markets))
        .routes(routes!(decisions::public_systems::public_systems))
        .routes(routes!(terms::outstanding_terms))
        .routes(routes!(consents::submit))
        .routes(routes!(consents::consents))
        .routes(routes!(consents::history))
        .routes(routes!(consents::claims::claim))
        .routes(routes!(evidence::receipts::receipt))
        .routes(routes!(evidence::receipts::look_up))
        .routes(routes!(evidence::receipts::read_receipt))
        .routes(routes!(evidence::log::checkpoint))
        .routes(routes!(evidence::log::key))
        .routes(routes!(evidence::log::keys))
        .routes(routes!(evidence::timestamps::timestamps))
        .routes(routes!(evidence::timestamps::timestamp))
        .routes(routes!(evidence::timestamps::stamped_checkpoint))
        .routes(routes!(terms::documents::document_part))
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
        .routes(routes!(people::person_data::own_data))
        .routes(routes!(session::devices::sessions))
        .routes(routes!(session::devices::end_session))
        .routes(routes!(flags::schema::schema))
        .routes(routes!(node::demo::people))
        .routes(routes!(node::demo::open_session))
        .routes(routes!(node::demo::code))
        .routes(routes!(node::health::healthz))
        .routes(routes!(node::health::readyz))
        .routes(routes!(node::health::jwks))
        .routes(routes!(node::security_txt::security_txt))
}

/// Adds the console's routes for terms, people and decisions.
fn console_api<R: RouteCollector>(routes: R) -> R {
    routes
        .routes(routes!(terms::console::terms))
        .routes(routes!(terms::console::term))
        .routes(routes!(terms::endings::cancel, terms::endings::undo_cancellation))
        .routes(routes!(terms::endings::retire, terms::endings::undo_retirement))
        .routes(routes!(terms::order::term_order, terms::order::put_term_order))
        .routes(routes!(terms::coverage::coverage))
        .routes(routes!(terms::coverage::missing))
        .routes(routes!(terms::drafts::drafts, terms::drafts::add_draft))
        .routes(routes!(
            terms::drafts::draft,
            terms::drafts::change_draft,
            terms::drafts::delete_draft
        ))
        .routes(routes!(terms::drafts::put_document))
        .routes(routes!(terms::drafts::check))
        .routes(routes!(terms::drafts::publish))
        .routes(routes!(access::approvals::rules, access::approvals::put_rules))
        .routes(routes!(access::approvals::approve_draft, access::approvals::withdraw_from_draft))
        .routes(routes!(access::approvals::reject_draft))
        .routes(routes!(access::proposals::proposals, access::proposals::propose))
        .routes(routes!(access::proposals::proposal, access::proposals::cancel_proposal))
        .routes(routes!(access::proposals::apply_proposal))
        .routes(routes!(
            access::approvals::approve_proposal,
            access::approvals::withdraw_from_proposal
        ))
        .routes(routes!(access::approvals::reject_proposal))
        .routes(routes!(decisions::systems::systems))
        .routes(routes!(decisions::systems::system, decisions::systems::save_system))
        .routes(routes!(decisions::systems::delete_draft))
        .routes(routes!(decisions::systems::publish))
        .routes(routes!(people::people, people::add_person))
        .routes(routes!(people::person, people::erasure::erase))
        .routes(routes!(people::import::import_people))
        .routes(routes!(markets::console::markets))
        .routes(routes!(markets::console::put_market, markets::console::remove_market))
        .routes(routes!(markets::console::move_person))
        .routes(routes!(consents::console::consents))
        .routes(routes!(consents::console::export))
        .routes(routes!(evidence::console_log::log))
        .routes(routes!(evidence::receipt_check::verify))
        .routes(routes!(evidence::receipts::receipt_of_any_person))
        .routes(routes!(evidence::receipts::read_receipt_of_any_person))
        .routes(routes!(people::person_data::person_data))
        .routes(routes!(terms::standing::standing))
        .routes(routes!(evidence::case_file::case_file))
        .routes(routes!(node::overview::overview))
        .routes(routes!(node::settings::settings))
        .routes(routes!(node::settings::test_delivery))
        .routes(routes!(access::roles::set_roles))
        .routes(routes!(access::service_keys::keys, access::service_keys::create_key))
        .routes(routes!(access::service_keys::key, access::service_keys::revoke_key))
        .routes(routes!(people::links::make_link))
        .routes(routes!(people::sessions::sessions, people::sessions::end_sessions))
        .routes(routes!(people::sessions::end_session))
        .routes(routes!(access::audit_log::audit))
        .routes(routes!(integration::events::events))
        .routes(routes!(integration::gate::gate))
        .routes(routes!(integration::webhooks::webhooks, integration::webhooks::add_webhook))
        .routes(routes!(
            integration::webhooks::webhook,
            integration::webhooks::change_webhook,
            integration::webhooks::delete_webhook
        ))
        .routes(routes!(integration::webhooks::rotate_secret))
        .routes(routes!(integration::webhooks::test_webhook))
        .routes(routes!(integration::webhooks::webhook_deliveries))
        .routes(routes!(integration::webhooks::resend_delivery))
}

/// Adds the routes for restrictions.
fn restrictions_api<R: RouteCollector>(routes: R) -> R {
    use super::decisions::restrictions::{approvals, console, list, rider};
    routes
        .routes(routes!(list::restrictions, console::impose))
        .routes(routes!(console::propose))
        .routes(routes!(list::restriction))
        .routes(routes!(console::decide))
        .routes(routes!(approvals::approve, approvals::withdraw))
        .routes(routes!(console::lift))
        .routes(routes!(console::answer))
        .routes(routes!(list::receipts))
        .routes(routes!(rider::own_restrictions))
        .routes(routes!(rider::own_restriction))
        .routes(routes!(rider::own_receipts))
        .routes(routes!(rider::request_review))
}

/// Adds the routes for decisions about riders.
fn decisions_api<R: RouteCollector>(routes: R) -> R {
    use super::decisions::{
        assignments, batch, evaluations, excusals, list, receipts, report, review_rules, rider,
    };
    restrictions_api(routes)
        .routes(routes!(list::evaluations))
        .routes(routes!(batch::batch))
        .routes(routes!(assignments::assignments))
        .routes(routes!(assignments::assign, assignments::end_assignment))
        .routes(routes!(excusals::excusals))
        .routes(routes!(excusals::preview::preview))
        .routes(routes!(excusals::excusal, excusals::put_excusal, excusals::cancel_excusal))
        .routes(routes!(evaluations::evaluation, evaluations::put_evaluation))
        .routes(routes!(evaluations::transition))
        .routes(routes!(evaluations::send_message))
        .routes(routes!(evaluations::withdraw))
        .routes(routes!(receipts::receipts))
        .routes(routes!(report::report))
        .routes(routes!(review_rules::rules, review_rules::put_rules))
        .routes(routes!(rider::own_evaluations))
        .routes(routes!(rider::own_evaluation))
        .routes(routes!(rider::own_receipts))
        .routes(routes!(rider::accept))
        .routes(routes!(rider::contest, rider::withdraw))
        .routes(routes!(rider::send_message))
}

/// Adds the routes for campaigns.
fn campaigns_api<R: RouteCollector>(routes: R) -> R {
    use super::campaigns::{actions, bounces, people, preview};
    routes
        .routes(routes!(campaigns::campaigns, campaigns::add_campaign))
        .routes(routes!(campaigns::campaign, campaigns::change_campaign))
        .routes(routes!(preview::preview))
        .routes(routes!(actions::start))
        .routes(routes!(actions::pause))
        .routes(routes!(actions::resume))
        .routes(routes!(actions::cancel))
        .routes(routes!(people::people))
        .routes(routes!(people::proof))
        .routes(routes!(bounces::report_bounce))
}

/// Adds the routes for notices.
fn notices_api<R: RouteCollector>(routes: R) -> R {
    routes
        .routes(routes!(notices::rider::own_notices))
        .routes(routes!(notices::rider::public_notices))
        .routes(routes!(notices::rider::open_notice))
        .routes(routes!(notices::push::push_key))
        .routes(routes!(notices::push::save_subscription, notices::push::delete_subscription))
        .routes(routes!(notices::console::notice))
        .routes(routes!(notices::console::unreached))
}

/// Adds the console's routes for flags.
fn console_flags_api<R: RouteCollector>(routes: R) -> R {
    routes
        .routes(routes!(flags::environments::environments))
        .routes(routes!(
            flags::environments::put_environment,
            flags::environments::archive_environment
        ))
        .routes(routes!(flags::console::flags, flags::console::put_flags))
        .routes(routes!(flags::console::switch))
        .routes(routes!(flags::console::check))
        .routes(routes!(flags::console::merge::merge))
        .routes(routes!(flags::console::copy))
        .routes(routes!(flags::console::evaluate))
        .routes(routes!(flags::console::stale))
        .routes(routes!(flags::console::versions))
        .routes(routes!(flags::console::version))
        .routes(routes!(flags::console::compare))
        .routes(routes!(flags::console::revert))
        .routes(routes!(flags::console::changes, flags::console::schedule))
        .routes(routes!(flags::console::change, flags::console::cancel))
        .routes(routes!(access::approvals::approve_change, access::approvals::withdraw_from_change))
        .routes(routes!(access::approvals::reject_change))
        .routes(routes!(flags::console::apply))
        .routes(routes!(flags::keys::keys, flags::keys::create_key))
        .routes(routes!(flags::keys::revoke_key))
        .routes(routes!(experiments::metrics::metric_names))
        .routes(routes!(experiments::experiment_results))
        .routes(routes!(experiments::experiment_daily_results))
        .routes(routes!(experiments::decisions::decisions, experiments::decisions::decide))
        .routes(routes!(experiments::holdouts::holdout_results))
        .routes(routes!(experiments::holdouts::holdout_daily_results))
        .routes(routes!(experiments::results::sample_size::sample_size))
}

pub fn router(app: Arc<App>) -> Router {
    let api = api(Router::new())
        // The router cannot match a suffix, so the document's route takes the whole file name. The
        // API document describes it as `{sha256}.pdf`.
        .route("/documents/{file}", axum::routing::get(terms::documents::document))
        // The path of a tile has as many segments as its number has groups of digits.
        .route("/log/tile/{*path}", axum::routing::get(evidence::log::tile))
        .route("/log/{name}/checkpoint", axum::routing::get(evidence::log::named_checkpoint))
        .route("/log/{name}/tile/{*path}", axum::routing::get(evidence::log::named_tile))
        // Mail programs open it. It is in no list of the API, because each e-mail has its address.
        .route(
            "/unsubscribe/{token}",
            axum::routing::get(campaigns::unsubscribe::page)
                .post(campaigns::unsubscribe::unsubscribe),
        )
        .route("/openapi.json", axum::routing::get(node::openapi::document))
        .fallback(node::assets::fallback);
    let api = if app.flags_only { api.layer(from_fn(layers::flags_only::gate)) } else { api };
    api.layer(from_fn_with_state(Arc::clone(&app), layers::deadline::around))
        .layer(from_fn_with_state(Arc::clone(&app), layers::around))
        .with_state(app)
}
