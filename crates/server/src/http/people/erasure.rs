//! `DELETE /people/{userId}`: erases a person and everything that identifies them.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::find;
use crate::experiments::units::UnitKey;
use crate::http::access::audit::{audit_action, event_of};
use crate::http::access::permission::{Administer, May};
use crate::http::wire::body::Body;
use crate::http::wire::parameters::UserPath;
use crate::http::wire::problem::{Problem, ProblemBody, ProblemError};
use crate::node::app::App;

/// The confirmation of an erasure, which cannot be undone.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct EraseBody {
    /// The user id in the path once more. Any other value returns 422 `not_confirmed`.
    confirm: String,
}

/// Erase a person.
///
/// Deletes the person's data, sessions and keys. The log remains, but its entries no longer
/// identify the person, and their receipts return 410. The erasure cannot be undone.
///
/// - 404 `not_found`: the person does not exist, for example because the first request succeeded.
/// - 409 `own_account`: the caller is this person.
/// - 422 `not_confirmed`: `confirm` is not the user id.
#[utoipa::path(
    delete, path = "/api/admin/v1/people/{userId}", tag = "admin-people", operation_id = "erase_person",
    params(UserPath),
    request_body = EraseBody,
    responses((status = 204), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["administer"]))
)]
pub async fn erase(
    State(app): State<Arc<App>>,
    May { caller: admin, .. }: May<Administer>,
    Path(user_id): Path<String>,
    Body(body): Body<EraseBody>,
) -> Result<Response, Problem> {
    if body.confirm != user_id {
        let error = ProblemError {
            pointer: "/confirm".into(),
            code: "invalid_value".into(),
            detail: "This must be the user id in the path.".into(),
            replaced_by: None,
            page: None,
        };
        return Err(Problem::invalid(
            "not_confirmed",
            "An erasure cannot be undone. Repeat the user id in 'confirm'.",
            vec![error],
        ));
    }
    // So at least one admin remains.
    if admin.user_id == user_id {
        return Err(Problem::new(
            StatusCode::CONFLICT,
            "own_account",
            "You cannot erase your own account. Another admin can.",
        ));
    }
    let person = find(&app, &user_id).await?;
    // The unit key is needed before its files are deleted.
    let units = UnitKey::load(&app.store).await?;
    app.store.delete_experiment_links(&units.of_user(&user_id)).await?;
    if !app.store.erase_user(&user_id, app.now()).await? {
        return Err(Problem::absent("person with this id"));
    }
    app.sessions.forget();
    app.serve_newest().await?;
    audit_action(&app, &admin.subject, event_of("user_erased", person.subject)).await;
    Ok(StatusCode::NO_CONTENT.into_response())
}
