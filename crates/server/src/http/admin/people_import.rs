//! `POST /people/import`: people from a CSV file, all or nothing.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use bytes::Bytes;
use http_body_util::{BodyExt as _, Limited};
use musette_core::session::Role;
use musette_store::StoreError;
use serde::Serialize;

use crate::app::App;
use crate::audit::{audit_action, event_about};
use crate::http::caching::private;
use crate::http::permission::{ManagePeople, Within};
use crate::http::problem::{Fault, Problem, ProblemBody};
use crate::http::query::{FromQuery, Parameters, Query};
use crate::people::import::{BadRow, Import, Permission, PersonChange, Planned, Refused, import};

const PEOPLE_MAX: usize = 100_000;
const FILE_BYTES_MAX: usize = 16 * 1024 * 1024;
const UPLOAD_WITHIN: Duration = Duration::from_secs(5 * 60);

/// What the file changes, or would change.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct ImportBody {
    /// Whether nothing was changed, because that was asked for.
    dry_run: bool,
    /// People who are new.
    #[schema(minimum = 0)]
    added: usize,
    /// People of whom something is another than before.
    #[schema(minimum = 0)]
    changed: usize,
    /// People who are already as the file says.
    #[schema(minimum = 0)]
    unchanged: usize,
    /// Each person who is added or changed, in order of the lines.
    changes: Vec<PersonChange>,
}

/// Whether to change anything.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DryRunQuery {
    /// True: judge every line, say what would change, and change nothing.
    #[param(value_type = Option<bool>)]
    dry_run: bool,
}

impl FromQuery for DryRunQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        let given = parameters.parsed("dry_run", |text| text.parse().ok(), "true or false")?;
        Ok(Self { dry_run: given.unwrap_or(false) })
    }
}

/// Add and change people from a CSV file.
///
/// The first line names the columns: `id` and any of `email`, `phone`, `name`, `roles`, `market`, `locale`, in any order.
/// An absent column changes nothing, an empty cell clears; roles are separated by spaces, and an empty cell of them
/// leaves a rider. People are found by their id, and added if there is nobody. All lines are taken or none: 422
/// `invalid_request` lists every bad line, in `errors[]` by `/LINE`, up to 10,000 of them. A file has at most 100,000
/// people. Another e-mail address, phone number or set of roles ends the person's sessions; the former address gets a
/// message. 403 `permission_denied`: the caller is no admin, and a line is about roles other than `rider`, about somebody
/// outside the markets of the caller's grants, or about the address of somebody who has sessions or decisions
/// (`errors[]` lists these lines as `contact_needs_admin`). 409 `last_admin`: nobody would be an admin any more. A repeat changes nothing.
#[utoipa::path(
    post, path = "/api/admin/v1/people/import", tag = "admin-people",
    params(DryRunQuery),
    request_body(content = Vec<u8>, content_type = "text/csv"),
    responses((status = 200, body = ImportBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_people"]))
)]
pub async fn import_people(
    State(app): State<Arc<App>>,
    Within { caller, reach, .. }: Within<ManagePeople>,
    Query(DryRunQuery { dry_run }): Query<DryRunQuery>,
    request: Request,
) -> Result<Response, Problem> {
    let (parts, body) = request.into_parts();
    let bytes = read_csv(&parts.headers, body).await?;
    let asked = Import {
        bytes: &bytes,
        permission: match caller.has(Role::Admin) {
            true => Permission::Everybody,
            false => Permission::Riders(reach.markets),
        },
        actor: &caller.subject,
        rows_max: PEOPLE_MAX,
        is_dry_run: dry_run,
    };
    let planned = import(&app.store, &asked, app.now()).await;
    let Planned { people, changes, unchanged } =
        planned.map_err(|it| refused(it, &caller.subject))?;
    if !dry_run && !people.is_empty() {
        app.sessions.forget();
        app.serve_newest().await?;
        let detail = format!("{} people", people.len());
        audit_action(&app, &caller.subject, event_about("people_imported", detail)).await;
    }
    let added = changes.iter().filter(|it| it.added).count();
    let changed = changes.len() - added;
    Ok(private(&ImportBody { dry_run, added, changed, unchanged, changes }))
}

fn refused(refused: Refused, subject: &str) -> Problem {
    match refused {
        Refused::Rows(bad) => {
            let errors = bad.into_iter().map(|BadRow { line, code, detail }| Fault {
                pointer: format!("/{line}"),
                code,
                detail: format!("line {line}: {detail}"),
                replaced_by: None,
                page: None,
            });
            let detail = "Nothing was imported: the file has bad lines.";
            Problem::invalid("invalid_request", detail, errors.collect())
        }
        Refused::Denied => Problem::denied_to(subject),
        Refused::ContactDenied(lines) => {
            let mut problem = Problem::denied_to(subject);
            problem.detail = "Only an admin changes the e-mail address or phone number of a \
                person who has sessions or decisions."
                .into();
            let faults = lines.into_iter().map(|line| Fault {
                pointer: format!("/{line}"),
                code: "contact_needs_admin".into(),
                detail: format!("line {line}: an admin has to change this address"),
                replaced_by: None,
                page: None,
            });
            problem.errors = faults.collect();
            problem
        }
        Refused::LastAdmin => {
            let detail = "Nobody would be an admin any more.";
            Problem::new(StatusCode::CONFLICT, "last_admin", detail)
        }
        Refused::Store(StoreError::Conflict(_)) => {
            let detail =
                "Somebody else got an e-mail address or phone number of the file meanwhile.";
            Problem::new(StatusCode::CONFLICT, "conflict", detail)
        }
        Refused::Store(error) => error.into(),
    }
}

async fn read_csv(headers: &HeaderMap, body: Body) -> Result<Bytes, Problem> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok());
    let kind = kind.and_then(|it| it.split(';').next()).map(str::trim);
    if !kind.is_some_and(|it| it.eq_ignore_ascii_case("text/csv")) {
        return Err(Problem::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "unsupported_media_type",
            "The body must be sent as Content-Type: text/csv.",
        ));
    }
    let whole = tokio::time::timeout(UPLOAD_WITHIN, Limited::new(body, FILE_BYTES_MAX).collect());
    match whole.await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(error)) if error.is::<http_body_util::LengthLimitError>() => {
            Err(Problem::body_too_large(FILE_BYTES_MAX))
        }
        Ok(Err(_)) | Err(_) => Err(Problem::malformed_json("The body did not come whole.")),
    }
}
