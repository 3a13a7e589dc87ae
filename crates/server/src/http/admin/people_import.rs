//! `POST /people/import`: people from a CSV file, all or nothing.

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

use crate::app::App;
use crate::audit::{audit_action, event_about};
use crate::http::caching::private;
use crate::http::json::{DISCARDED_TIMES, declared_length, discard, is_too_many};
use crate::http::large_body::LargeBodies;
use crate::http::permission::{FRESH_WITHIN, ManagePeople, Within};
use crate::http::problem::{Fault, Problem, ProblemBody};
use crate::http::query::{FromQuery, Parameters, Query};
use crate::people::import::{BadRow, Import, Permission, PersonChange, Planned, Refused, import};

const PEOPLE_MAX: usize = 20_000;
const FILE_BYTES_MAX: usize = 4 * 1024 * 1024;
/// Separators of cells and lines: more than all columns of so many people have.
const SEPARATORS_MAX: usize = 10 * (PEOPLE_MAX + 1);

static FILES: LargeBodies = LargeBodies::new();
const UPLOAD_WITHIN: Duration = Duration::from_secs(5 * 60);
/// Dry runs and refused files of one caller.
const CHECKS: [RateLimit; 1] = [RateLimit { max: 60, within: Duration::from_secs(60 * 60) }];

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
/// `invalid_request` lists every bad line, in `errors[]` by `/LINE`, up to 10,000 of them. A file has at most 20,000
/// people and 4 MiB. Another e-mail address, phone number or set of roles ends the person's sessions; the former address
/// gets a message. 403 `permission_denied`: the caller is no admin, and a line is about roles other than `rider`, about
/// somebody outside the markets of the caller's grants (who may also be the person who has an id, an e-mail address or a
/// phone number of the file), or about the address of somebody who has sessions or decisions (`errors[]` lists these lines
/// as `contact_needs_admin`). 403 `reauthentication_required`: a line changes the roles or the address of a person with a
/// role other than `rider`, and the admin has not proved within 10 minutes who they are. 409 `last_admin`: nobody would be
/// an admin any more. The audit records a dry run as `people_import_checked`. 429 `rate_limited`: after 60 dry runs and
/// refused files within an hour. A repeat changes nothing.
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
    let bytes = read_csv(&parts.headers, body);
    let (bytes, _turn) = FILES.read(&parts.headers, bytes).await?;
    // The file may have come for minutes, in which the caller may have been signed out or lost the role.
    caller.check_rights_again(&app).await?;
    let asked = Import {
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
        take_check(&app, &caller.subject).await?;
    }
    let planned = import(&app.store, &asked, app.now()).await;
    if planned.is_err() && !dry_run {
        // A refusal tells as much as a dry run.
        take_check(&app, &caller.subject).await?;
    }
    if !dry_run {
        // Sessions that the import has ended.
        app.sessions.forget();
    }
    let Planned { people, changes, unchanged } =
        planned.map_err(|it| refused(it, &caller.subject))?;
    if dry_run {
        let detail = format!("{} people", people.len());
        audit_action(&app, &caller.subject, event_about("people_import_checked", detail)).await;
    }
    if !dry_run && !people.is_empty() {
        for subject in changes.iter().filter_map(|it| it.console_account.as_deref()) {
            let (part, now) = (CredentialPart::Address, app.now());
            app.store.record_credential_issue(subject, part, &caller.subject, now).await?;
        }
        app.serve_newest().await?;
        let detail = format!("{} people", people.len());
        audit_action(&app, &caller.subject, event_about("people_imported", detail)).await;
    }
    let added = changes.iter().filter(|it| it.added).count();
    let changed = changes.len() - added;
    Ok(private(&ImportBody { dry_run, added, changed, unchanged, changes }))
}

/// Counts a file that is judged and not imported: its answer says who has which id and address.
async fn take_check(app: &App, subject: &str) -> Result<(), Problem> {
    let key = format!("import-checks:{subject}");
    if app.settings.throttles && !app.store.take_allowance(&key, &CHECKS, app.now()).await? {
        return Err(Problem::rate_limited(CHECKS[0].within.as_secs()));
    }
    Ok(())
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
        Refused::ReauthenticationRequired => Problem::reauthentication_required(),
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
    if let Some(length) = declared_length(headers).filter(|length| *length > FILE_BYTES_MAX) {
        // A client that is still sending when the connection closes never reads the answer.
        if length <= FILE_BYTES_MAX * DISCARDED_TIMES {
            discard(body).await;
        }
        return Err(Problem::body_too_large(FILE_BYTES_MAX));
    }
    let whole = tokio::time::timeout(UPLOAD_WITHIN, whole_file(body));
    whole.await.map_err(|_| Problem::malformed_json("The body did not come whole."))?
}

/// Stops where the file has more than it may.
async fn whole_file(body: Body) -> Result<Bytes, Problem> {
    let mut body = Limited::new(body, FILE_BYTES_MAX);
    let (mut file, mut separators) = (BytesMut::new(), 0);
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| match error.is::<LengthLimitError>() {
            true => Problem::body_too_large(FILE_BYTES_MAX),
            false if is_too_many(&*error) => Problem::rate_limited(1),
            false => Problem::malformed_json("The body did not come whole."),
        })?;
        let Ok(piece) = frame.into_data() else { continue };
        separators += piece.iter().filter(|byte| matches!(byte, b',' | b'\n')).count();
        if separators <= SEPARATORS_MAX {
            file.extend_from_slice(&piece);
        } else {
            // The rest is read and not kept: a client that is still sending never reads the answer.
            file = BytesMut::new();
        }
    }
    if separators > SEPARATORS_MAX {
        let detail = format!("A file has at most {PEOPLE_MAX} people: send it in parts.");
        return Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", detail));
    }
    Ok(file.freeze())
}
