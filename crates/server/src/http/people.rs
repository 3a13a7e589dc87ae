//! `GET /people`, `/people/{userId}`; `POST /people`.

pub mod erasure;
pub mod import;
pub mod links;
pub mod person_data;
pub mod sessions;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use musette_core::instant::Instant;
use musette_core::session::{Identifier, Role, RoleGrant};
use musette_store::{CredentialPart, NewUser, Person, PersonFilter, StoreError};
use serde::{Deserialize, Serialize};

use super::access::audit::{audit_action, event_of};
use super::access::caller::Caller;
use super::access::permission::{ManagePeople, PERSONAL, Reach, ReadPeople, Within};
use super::layers::origin::origin;
use super::wire::body::Body;
use super::wire::caching::private;
use super::wire::page::{Page, Paged};
use super::wire::parameters::UserPath;
use super::wire::problem::{Problem, ProblemBody, ProblemError};
use super::wire::query::{FromQuery, Parameters, Query};
use crate::http::markets::MarketQuery;
use crate::http::session::opens_console;
use crate::node::app::App;
use crate::people::{NAME_RULE, USER_ID_RULE, is_new_user_id, person_name};
use crate::platform::closed_sets;
use crate::platform::closed_sets::ROLE_NAMES;
use crate::platform::random;
use links::LinkBody;

/// A person.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct PersonBody {
    /// The user id.
    pub user_id: String,
    /// The person's name. Absent if it is unknown. Name, e-mail address and phone number are also
    /// absent for callers without `support`, `legal`, `operator` or `admin`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The e-mail address. Absent if it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// The phone number. Absent if it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
    /// The roles of the person.
    #[schema(value_type = Vec<closed_sets::RoleGrant>)]
    pub roles: Vec<String>,
    /// The time at which the person was added.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// True if the person has a password for the console.
    pub has_password: bool,
    /// The market in which the person works. Null: no market.
    #[schema(required)]
    pub market: Option<String>,
    /// The language for messages to the person: a BCP 47 tag. Absent if it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locale: Option<String>,
}

impl From<Person> for PersonBody {
    fn from(person: Person) -> Self {
        Self {
            user_id: person.id,
            name: person.name,
            email: person.email,
            phone: person.phone,
            roles: person.roles,
            created_at: Instant::from_millis(person.created_at).to_string(),
            has_password: person.has_password,
            market: person.market,
            locale: person.locale,
        }
    }
}

impl PersonBody {
    /// Returns the person, without name and addresses unless they are shown.
    fn shown(person: Person, is_shown: bool) -> Self {
        let body = Self::from(person);
        if is_shown { body } else { Self { name: None, email: None, phone: None, ..body } }
    }
}

fn has(person: &Person, role: Role) -> bool {
    let grants = person.roles.iter().filter_map(|text| RoleGrant::from_stored(text));
    grants.into_iter().any(|grant| grant.role == role)
}

/// Returns whether the caller may see the names, e-mail addresses and phone numbers of all people.
pub fn sees_personal(caller: &Caller) -> bool {
    caller.reach(PERSONAL).is_some_and(|reach| reach.markets.is_none())
}

fn is_inside(reach: Option<&Reach>, person: &Person) -> bool {
    reach.is_some_and(|reach| reach.covers_code(person.market.as_deref()))
}

/// The person who was added.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct AddedPersonBody {
    #[serde(flatten)]
    person: PersonBody,
    /// A one-time link for a console user who signs in with a password. Only this response contains
    /// it. Absent for other people, and if links are sent by e-mail but the person has no e-mail
    /// address.
    #[serde(skip_serializing_if = "Option::is_none")]
    sign_in_link: Option<LinkBody>,
}

/// A person to add.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"user_id":"ops-2","name":"Robin Example","email":"robin@example.com","roles":["operator"]})))]
pub struct NewPersonBody {
    /// The user id, without control characters; neither `.` nor `..`.
    #[schema(min_length = 1, max_length = 128)]
    user_id: String,
    /// The person's name, without control characters.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 200)]
    name: Option<String>,
    /// The e-mail address. It must be unique (409 `conflict`).
    #[serde(default)]
    email: Option<String>,
    /// The phone number with the country code. It must be unique (409 `conflict`).
    #[serde(default)]
    phone: Option<String>,
    /// The roles of the person. Absent or empty: `rider`.
    #[serde(default)]
    #[schema(value_type = Vec<closed_sets::RoleGrant>)]
    roles: Vec<String>,
    /// The market in which the person works. Absent: no market. An unknown market returns 422
    /// `unknown_market`.
    #[serde(default)]
    market: Option<String>,
}

/// Filters of people.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PeopleQuery {
    /// The beginning of a user id, e-mail address or phone number, or a part of a name. At most 200
    /// characters.
    #[param(value_type = Option<String>, max_length = 200)]
    q: String,
    /// Only people with this role.
    #[param(value_type = Option<closed_sets::Role>)]
    role: Option<Role>,
}

impl FromQuery for PeopleQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        let role = parameters.parsed("role", Role::parse, "the name of a role")?;
        Ok(Self { q: parameters.search()?, role })
    }
}

pub fn parse_roles(roles: &[String]) -> Result<Vec<RoleGrant>, Problem> {
    let error = |i: usize| ProblemError {
        pointer: format!("/roles/{i}"),
        code: "unknown_role".into(),
        detail: format!("A role must be {ROLE_NAMES}."),
        replaced_by: None,
        page: None,
    };
    let mut parsed = Vec::new();
    for (i, role) in roles.iter().enumerate() {
        let role = RoleGrant::parse(role).ok_or_else(|| {
            Problem::invalid("invalid_request", "A role is unknown.", vec![error(i)])
        })?;
        if !parsed.contains(&role) {
            parsed.push(role);
        }
    }
    Ok(parsed)
}

pub async fn find(app: &App, user_id: &str) -> Result<Person, Problem> {
    app.store.person(user_id).await?.ok_or_else(|| Problem::absent("person with this id"))
}

/// List people, or find them by a part of their id, name or address.
///
/// People are sorted by user id. Erased people are left out. A caller who may not see names finds
/// people only by their complete id.
///
/// - 400 `invalid_parameter`: `q` has more than 200 characters, or the role or cursor is unknown.
#[utoipa::path(
    get, path = "/api/admin/v1/people", tag = "admin-people", operation_id = "find_people",
    params(PeopleQuery, MarketQuery, Page),
    responses((status = 200, body = Paged<PersonBody>), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_people"]))
)]
pub async fn people(
    State(app): State<Arc<App>>,
    Within { caller, reach, .. }: Within<ReadPeople>,
    Query(query): Query<PeopleQuery>,
    Query(MarketQuery { market }): Query<MarketQuery>,
    Query(page): Query<Page>,
) -> Result<Response, Problem> {
    let PeopleQuery { q: text, role } = query;
    let personal = caller.reach(PERSONAL);
    let after = page.after.clone();
    if personal.is_none() && !text.is_empty() {
        // A caller who may not see names must not find people by name either.
        let person = app.store.person(&text).await?;
        let person = person.filter(|person| role.is_none_or(|role| has(person, role)));
        let person = person.filter(|person| reach.covers_code(person.market.as_deref()));
        let items = person.into_iter().map(|person| PersonBody::shown(person, false)).collect();
        return Ok(private(&Paged { items, next_cursor: None }));
    }
    // The search covers names and addresses only where the caller may see them.
    let searched = personal.as_ref().filter(|_| !text.is_empty()).unwrap_or(&reach);
    let market = searched.filter(market.as_ref());
    let filter = PersonFilter { text, role, market, after };
    let rows = app.store.find_people(&filter, page.rows()).await?;
    let body = |person: Person| {
        let is_shown = is_inside(personal.as_ref(), &person);
        PersonBody::shown(person, is_shown)
    };
    Ok(private(&page.of(rows, |person| person.id.clone(), body)))
}

/// Read a person.
///
/// - 404 `not_found`: the person does not exist or was erased.
#[utoipa::path(
    get, path = "/api/admin/v1/people/{userId}", tag = "admin-people",
    params(UserPath),
    responses((status = 200, body = PersonBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_people"]))
)]
pub async fn person(
    State(app): State<Arc<App>>,
    Within { caller, reach, .. }: Within<ReadPeople>,
    Path(user_id): Path<String>,
) -> Result<Response, Problem> {
    let person = app.store.person(&user_id).await?;
    // A caller with limited markets must not learn whether other people exist.
    if !reach.covers_code(person.as_ref().and_then(|person| person.market.as_deref())) {
        return Err(Problem::denied_to(&caller.subject));
    }
    let person = person.ok_or_else(|| Problem::absent("person with this id"))?;
    let is_shown = is_inside(caller.reach(PERSONAL).as_ref(), &person);
    Ok(private(&PersonBody::shown(person, is_shown)))
}

/// Add a person.
///
/// Only admins can give roles other than `rider`.
///
/// - 403 `permission_denied`: the caller may not give a role or use the market, or a person outside
///   the caller's markets already has the user id, e-mail address or phone number.
/// - 403 `reauthentication_required`: a role other than `rider` requires that the admin
///   authenticated within the last 10 minutes.
/// - 409 `conflict`: another person has the user id, e-mail address or phone number, for example
///   because the first request succeeded.
/// - 422 `invalid_request`: a member is malformed.
#[utoipa::path(
    post, path = "/api/admin/v1/people", tag = "admin-people",
    request_body = NewPersonBody,
    responses((status = 201, body = AddedPersonBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_people"]))
)]
pub async fn add_person(
    State(app): State<Arc<App>>,
    Within { caller: admin, reach, .. }: Within<ManagePeople>,
    headers: HeaderMap,
    Body(body): Body<NewPersonBody>,
) -> Result<Response, Problem> {
    let code = body.market.as_deref();
    let requested = code.map(|code| app.live.load().markets.asked(code));
    let market = requested.transpose().map_err(|_| Problem::unknown_market("/market"))?;
    let new = NewUser { market, ..checked(body)? };
    if !may_give(&admin, &new.roles) || !reach.covers(new.market.as_ref()) {
        return Err(Problem::denied_to(&admin.subject));
    }
    if new.roles.iter().any(|grant| grant.role != Role::Rider) {
        admin.check_fresh(&app).await?;
    }
    let origin = origin(&app.settings, &headers)?;
    if opens_console(&new.roles) {
        // This is recorded before the account exists.
        let (part, now) = (CredentialPart::Address, app.now());
        app.store.record_credential_issue(&new.subject, part, &admin.subject, now).await?;
    }
    match app.store.add_new_user(&new, app.now()).await {
        Ok(true) => {}
        Ok(false) => {
            let detail = "A person with this id already exists.";
            return Err(duplicate_problem(&app, &admin, &reach, &new, detail).await?);
        }
        Err(StoreError::Conflict(_)) => {
            let detail = "Another person has this e-mail address or phone number.";
            return Err(duplicate_problem(&app, &admin, &reach, &new, detail).await?);
        }
        Err(error) => return Err(error.into()),
    }
    app.serve_newest().await?;
    audit_action(&app, &admin.subject, event_of("user_added", new.subject)).await;
    let person = find(&app, &new.id).await?;
    let sign_in_link = if links::may_have(&app, &new.roles) && links::reaches(&app, &person) {
        Some(links::create(&app, &admin, &person, &origin).await?)
    } else {
        None
    };
    let person = PersonBody::from(person);
    Ok((StatusCode::CREATED, private(&AddedPersonBody { person, sign_in_link })).into_response())
}

/// Returns whether the caller may give these roles. Only admins may give roles other than `rider`.
pub fn may_give(caller: &Caller, roles: &[RoleGrant]) -> bool {
    caller.has(Role::Admin) || roles.iter().all(|grant| grant.role == Role::Rider)
}

/// Returns the error for a person whose id or address another person has. If that person is outside
/// the caller's markets, it is a 403, so that the caller cannot learn that they exist.
async fn duplicate_problem(
    app: &App,
    admin: &Caller,
    reach: &Reach,
    new: &NewUser,
    detail: &str,
) -> Result<Problem, Problem> {
    let addresses: Vec<String> = [&new.email, &new.phone].into_iter().flatten().cloned().collect();
    let owners = app.store.owners_of(&addresses).await?;
    let owners = owners.iter().map(|(_, id)| id.as_str()).chain([new.id.as_str()]);
    let others = app.store.people_of(&owners.collect::<Vec<_>>()).await?;
    let are_inside = others.iter().all(|other| is_inside(Some(reach), other));
    Ok(if are_inside { conflict(detail) } else { Problem::denied_to(&admin.subject) })
}

fn conflict(detail: &str) -> Problem {
    Problem::new(StatusCode::CONFLICT, "conflict", detail)
}

fn checked(body: NewPersonBody) -> Result<NewUser, Problem> {
    let mut errors = Vec::new();
    let mut add_error = |pointer: &str, detail: &str| {
        errors.push(ProblemError {
            pointer: pointer.into(),
            code: "invalid_value".into(),
            detail: detail.into(),
            replaced_by: None,
            page: None,
        });
    };
    if !is_new_user_id(&body.user_id) {
        add_error("/user_id", USER_ID_RULE);
    }
    let name = body.name.as_deref().map(person_name);
    if name == Some(None) {
        add_error("/name", NAME_RULE);
    }
    let email = body.email.as_deref().map(Identifier::parse);
    if email.as_ref().is_some_and(|email| !matches!(email, Some(Identifier::Email(_)))) {
        add_error("/email", "This must be an e-mail address.");
    }
    let phone = body.phone.as_deref().map(Identifier::parse);
    if phone.as_ref().is_some_and(|phone| !matches!(phone, Some(Identifier::Phone(_)))) {
        add_error("/phone", "This must be a phone number.");
    }
    if !errors.is_empty() {
        return Err(Problem::invalid("invalid_request", "The person is invalid.", errors));
    }
    let text = |identifier: Option<Option<Identifier>>| match identifier.flatten() {
        Some(Identifier::Email(text) | Identifier::Phone(text)) => Some(text),
        None => None,
    };
    let mut roles = parse_roles(&body.roles)?;
    if roles.is_empty() {
        roles.push(Role::Rider.into());
    }
    Ok(NewUser {
        id: body.user_id,
        roles,
        name: name.flatten(),
        email: text(email),
        phone: text(phone),
        market: None,
        subject: random::uuid(),
        subject_key: random::hex::<32>(),
    })
}
