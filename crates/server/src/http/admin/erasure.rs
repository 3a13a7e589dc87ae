//! `DELETE /people/{userId}`: nothing is left that says who somebody was.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::body::Body;
use super::people::find;
use crate::app::App;
use crate::audit::{audit_action, event_of};
use crate::http::parameters::UserPath;
use crate::http::permission::{Administer, May};
use crate::http::problem::{Fault, Problem, ProblemBody};
use crate::units::UnitKey;

/// The confirmation of an erasure, which cannot be undone.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct EraseBody {
    /// The user id of the address once more; otherwise 422 `not_confirmed`.
    confirm: String,
}

/// Erase a person.
///
/// Deletes the person's row, sessions and keys. The log stays, and its entries name nobody any more; their receipts
/// are 410. It cannot be undone. 409 `own_account`: nobody erases themselves. 422 `not_confirmed`: `confirm` is not
/// the user id. A repeat finds nobody: 404.
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
        let fault = Fault {
            pointer: "/confirm".into(),
            code: "invalid_value".into(),
            detail: "It is not the user id of the address.".into(),
            replaced_by: None,
            page: None,
        };
        return Err(Problem::invalid(
            "not_confirmed",
            "Erasing somebody cannot be undone: 'confirm' repeats the user id.",
            vec![fault],
        ));
    }
    // So there is always an admin left.
    if admin.user_id == user_id {
        return Err(Problem::new(
            StatusCode::CONFLICT,
            "own_account",
            "Nobody can erase themselves; another admin can.",
        ));
    }
    let person = find(&app, &user_id).await?;
    // Before the files are swept.
    let units = UnitKey::load(&app.store).await?;
    app.store.forget_person(&units.of_user(&user_id)).await?;
    if !app.store.erase_user(&user_id, app.now()).await? {
        return Err(Problem::absent("person of this id"));
    }
    app.sessions.forget();
    app.serve_newest().await?;
    audit_action(&app, &admin.subject, event_of("user_erased", person.subject)).await;
    Ok(StatusCode::NO_CONTENT.into_response())
}
