//! `POST /people/import`: imports people from a CSV file, all or none.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use bytes::{Bytes, BytesMut};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use musette_core::session::{RateLimit, Role};
use musette_store::{CredentialPart, StoreError};
use serde::Serialize;

use crate::http::access::audit::{audit_action, event_about};
use crate::http::access::permission::{FRESH_WITHIN, ManagePeople, Within};
use crate::http::wire::body::FileBytes;
use crate::http::wire::caching::private;
use crate::http::wire::json::{DISCARDED_TIMES, declared_length, discard, is_too_many};
use crate::http::wire::large_body::LargeBodies;
use crate::http::wire::problem::{Problem, ProblemBody, ProblemError};
use crate::http::wire::query::{FromQuery, Parameters, Query};
use crate::node::app::App;
use crate::people::import::{
    BadRow, ImportError, ImportFile, Permission, PersonChange, Planned, import,
};

const PEOPLE_MAX: usize = 20_000;
const FILE_BYTES_MAX: usize = 4 * 1024 * 1024;
/// The number of separators of cells and lines: more than all columns of this many people need.
const SEPARATORS_MAX: usize = 10 * (PEOPLE_MAX + 1);

static FILES: LargeBodies = LargeBodies::new();
const UPLOAD_WITHIN: Duration = Duration::from_secs(5 * 60);
/// The limit of dry runs and failed imports per caller.
const CHECKS: [RateLimit; 1] = [RateLimit { max: 60, within: Duration::from_secs(60 * 60) }];

/// The changes by the file, or those that a real run would make.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct ImportBody {
    /// True if the request was a dry run, which changes nothing.
    dry_run: bool,
    /// The number of new people.
    #[schema(minimum = 0)]
    added: usize,
    /// The number of people with a changed value.
    #[schema(minimum = 0)]
    changed: usize,
    /// The number of people without a changed value.
    #[schema(minimum = 0)]
    unchanged: usize,
    /// The people who are added or changed, in the order of the lines.
    changes: Vec<PersonChange>,
}

/// The switch for a dry run.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DryRunQuery {
    /// True: check every line and return the changes, without applying them.
    #[param(value_type = Option<bool>)]
    dry_run: bool,
}

impl FromQuery for DryRunQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        let value = parameters.parsed("dry_run", |text| text.parse().ok(), "true or false")?;
        Ok(Self { dry_run: value.unwrap_or(false) })
    }
}

/// Add and change people from a CSV file.
///
/// The first line names the columns: `id` and any of `email`, `phone`, `name`, `roles`, `market`,
/// `locale`, in any order. A missing column changes nothing; an empty cell clears the value. Roles
/// are separated by spaces; an empty cell of roles means `rider`. People are identified by their
/// id; unknown ids are added. Either all lines are imported or none. A file has at most 20,000
/// people and 4 MiB. A new e-mail address, phone number or set of roles ends the person's sessions,
/// and the previous address receives a message. The audit records a dry run as
/// `people_import_checked`. A retry changes nothing.
///
/// - 403 `permission_denied`: the caller is not an admin, and a line gives a role other than `rider`,
///   or concerns a person outside the caller's markets. It also concerns such a person if it has
///   their id, e-mail address or phone number.
/// - 403 `permission_denied` with `contact_needs_admin` in `errors[]`: the caller is not an admin,
///   and these lines change the address of a person with sessions or decisions.
/// - 403 `reauthentication_required`: a line changes the roles or the address of a person with a
///   role other than `rider`, and the admin did not authenticate within the last 10 minutes.
/// - 409 `last_admin`: no admin would remain.
/// - 422 `invalid_request`: lines are invalid; `errors[]` lists up to 10,000 of them by `/LINE`.
/// - 429 `rate_limited`: more than 60 dry runs and failed imports within an hour.
#[utoipa::path(
    post, path = "/api/admin/v1/people/import", tag = "admin-people",
    params(DryRunQuery),
    request_body(content = FileBytes, content_type = "text/csv"),
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
    let bytes = read_csv(&parts.headers, body);
    let (bytes, _turn) = FILES.read(&parts.headers, bytes).await?;
    // The upload may have taken minutes. Meanwhile the session may have ended, or the caller may
    // have lost the role.
    caller.check_rights_again(&app).await?;
    let request = ImportFile {
        bytes: &bytes,
        permission: match caller.has(Role::Admin) {
            true if dry_run || caller.authenticated_within(&app, FRESH_WITHIN).await? => {
                Permission::Everybody
            }
            true => Permission::EverybodyButConsole,
            false => Permission::Riders(reach.markets),
        },
        actor: &caller.subject,
        rows_max: PEOPLE_MAX,
        is_dry_run: dry_run,
    };
    if dry_run {
        count_check(&app, &caller.subject).await?;
    }
    let planned = import(&app.store, &request, app.now()).await;
    if planned.is_err() && !dry_run {
        // A failed import reveals as much as a dry run.
        count_check(&app, &caller.subject).await?;
    }
    if !dry_run {
        // The import may have ended sessions.
        app.sessions.forget();
    }
    let Planned { people, changes, unchanged } =
        planned.map_err(|error| import_problem(error, &caller.subject))?;
    if dry_run {
        let detail = format!("{} people", people.len());
        audit_action(&app, &caller.subject, event_about("people_import_checked", detail)).await;
    }
    if !dry_run && !people.is_empty() {
        for subject in changes.iter().filter_map(|change| change.console_account.as_deref()) {
            let (part, now) = (CredentialPart::Address, app.now());
            app.store.record_credential_issue(subject, part, &caller.subject, now).await?;
        }
        app.serve_newest().await?;
        let detail = format!("{} people", people.len());
        audit_action(&app, &caller.subject, event_about("people_imported", detail)).await;
    }
    let added = changes.iter().filter(|change| change.added).count();
    let changed = changes.len() - added;
    Ok(private(&ImportBody { dry_run, added, changed, unchanged, changes }))
}

/// Counts a file that is checked but not imported. The response reveals which people have which id
/// and address, so the number is limited.
async fn count_check(app: &App, subject: &str) -> Result<(), Problem> {
    let key = format!("import-checks:{subject}");
    if app.settings.throttles && !app.store.take_allowance(&key, &CHECKS, app.now()).await? {
        return Err(Problem::rate_limited(CHECKS[0].within.as_secs()));
    }
    Ok(())
}

fn import_problem(error: ImportError, subject: &str) -> Problem {
    match error {
        ImportError::Rows(rows) => {
            let errors = rows.into_iter().map(|BadRow { line, code, detail }| ProblemError {
                pointer: format!("/{line}"),
                code,
                detail: format!("line {line}: {detail}"),
                replaced_by: None,
                page: None,
            });
            let detail = "Nothing was imported, because the file has invalid lines.";
            Problem::invalid("invalid_request", detail, errors.collect())
        }
        ImportError::Denied => Problem::denied_to(subject),
        ImportError::ReauthenticationRequired => Problem::reauthentication_required(),
        ImportError::ContactDenied(lines) => {
            let mut problem = Problem::denied_to(subject);
            problem.detail = "Only an admin can change the e-mail address or phone number of a \
                person with sessions or decisions."
                .into();
            let errors = lines.into_iter().map(|line| ProblemError {
                pointer: format!("/{line}"),
                code: "contact_needs_admin".into(),
                detail: format!("line {line}: only an admin can change this address"),
                replaced_by: None,
                page: None,
            });
            problem.errors = errors.collect();
            problem
        }
        ImportError::LastAdmin => {
            let detail = "No admin would remain.";
            Problem::new(StatusCode::CONFLICT, "last_admin", detail)
        }
        ImportError::Store(StoreError::Conflict(_)) => {
            let detail = "Another person received an e-mail address or phone number of the file in the meantime.";
            Problem::new(StatusCode::CONFLICT, "conflict", detail)
        }
        ImportError::Store(error) => error.into(),
    }
}

async fn read_csv(headers: &HeaderMap, body: Body) -> Result<Bytes, Problem> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let kind = kind.and_then(|value| value.split(';').next()).map(str::trim);
    if !kind.is_some_and(|kind| kind.eq_ignore_ascii_case("text/csv")) {
        return Err(Problem::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "unsupported_media_type",
            "Send the body with Content-Type: text/csv.",
        ));
    }
    if let Some(length) = declared_length(headers).filter(|length| *length > FILE_BYTES_MAX) {
        // A client that is still sending when the connection closes never reads the response.
        if length <= FILE_BYTES_MAX * DISCARDED_TIMES {
            discard(body).await;
        }
        return Err(Problem::body_too_large(FILE_BYTES_MAX));
    }
    let whole = tokio::time::timeout(UPLOAD_WITHIN, whole_file(body));
    whole.await.map_err(|_| {
        Problem::malformed_json(
            "The upload of the body was interrupted or took longer than 5 minutes.",
        )
    })?
}

/// Reads the file. Stops collecting it if it has too many separators.
async fn whole_file(body: Body) -> Result<Bytes, Problem> {
    let mut body = Limited::new(body, FILE_BYTES_MAX);
    let (mut file, mut separators) = (BytesMut::new(), 0);
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| match error.is::<LengthLimitError>() {
            true => Problem::body_too_large(FILE_BYTES_MAX),
            false if is_too_many(&*error) => Problem::rate_limited(1),
            false => Problem::malformed_json("The upload of the body was interrupted."),
        })?;
        let Ok(piece) = frame.into_data() else { continue };
        separators += piece.iter().filter(|byte| matches!(byte, b',' | b'\n')).count();
        if separators <= SEPARATORS_MAX {
            file.extend_from_slice(&piece);
        } else {
            // The rest is read and discarded, because a client that is still sending never reads
            // the response.
            file = BytesMut::new();
        }
    }
    if separators > SEPARATORS_MAX {
        let detail =
            format!("The file has more than {PEOPLE_MAX} people. Split it into several files.");
        return Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", detail));
    }
    Ok(file.freeze())
}
