//! Compares a file with the existing people to determine what it changes.

use std::collections::{BTreeSet, HashMap, HashSet};

use musette_core::markets::Market;
use musette_core::session::{Role, RoleGrant};
use musette_store::{
    AuditEvent, ContactChange, ContactDetails, ImportedPerson, Person, Store, StoreError,
};
use serde::Serialize;

use super::{BadRow, Row};
use crate::people::{USER_ID_RULE, is_new_user_id};
use crate::platform::random;

/// The permission of the caller of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Permission {
    /// May add and change riders only, optionally only within these markets. May neither grant nor
    /// revoke other roles, nor change people who have them.
    Riders(Option<Vec<Market>>),
    /// May change all people, except console roles and addresses of console users: an admin who has
    /// not reauthenticated recently.
    EverybodyButConsole,
    /// May change all people.
    Everybody,
}

impl Permission {
    fn allows(&self, person: &ImportedPerson, before: Option<&Person>) -> bool {
        let Self::Riders(markets) = self else { return true };
        let is_inside = |code: Option<&String>| {
            let market = code.and_then(|code| Market::from_stored(code));
            markets.as_ref().is_none_or(|all| {
                market.is_some_and(|market| all.iter().any(|outer| market.is_within(outer)))
            })
        };
        let was_inside = before.is_none_or(|before| is_inside(before.market.as_ref()));
        is_of_riders(person, before) && was_inside && is_inside(person.market.as_ref())
    }

    /// Returns whether the response may reveal that this person exists.
    fn may_reveal(&self, person: &Person) -> bool {
        match self {
            Self::Riders(Some(markets)) => {
                let market = person.market.as_deref().and_then(Market::from_stored);
                market.is_some_and(|market| markets.iter().any(|outer| market.is_within(outer)))
            }
            Self::Riders(None) | Self::EverybodyButConsole | Self::Everybody => true,
        }
    }
}

/// The reason why an import changes nothing.
#[derive(Debug)]
pub enum ImportError {
    /// These lines are invalid.
    Rows(Vec<BadRow>),
    /// A line changes roles other than `rider`, or concerns another market.
    Denied,
    /// A line changes the roles or the address of a console user, and the admin must reauthenticate
    /// first.
    ReauthenticationRequired,
    /// These lines change the e-mail address or phone number of people who have sessions or
    /// decisions.
    ContactDenied(Vec<u64>),
    /// The import would remove the last admin.
    LastAdmin,
    /// The store could not be read or written.
    Store(StoreError),
}

impl From<StoreError> for ImportError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// A person that the file adds or changes.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub struct PersonChange {
    /// The number of the line in the file.
    #[schema(minimum = 1)]
    pub line: u64,
    /// The user ID.
    pub user_id: String,
    /// True if the person is new.
    pub added: bool,
    /// The columns with a changed value.
    pub columns: Vec<&'static str>,
    /// The subject of a console user who is added, or whose address changes.
    #[serde(skip)]
    #[schema(ignore)]
    pub console_account: Option<String>,
}

/// The changes of a file.
#[derive(Debug)]
pub struct Planned {
    pub people: Vec<ImportedPerson>,
    pub changes: Vec<PersonChange>,
    pub unchanged: usize,
}

/// Compares the rows with the store.
///
/// # Errors
///
/// Returns an error if the file is rejected, or if the store cannot be read.
pub async fn plan(
    store: &Store,
    rows: Vec<Row>,
    permission: &Permission,
    actor: &str,
) -> Result<Planned, ImportError> {
    let ids: Vec<&str> = rows.iter().map(|row| row.id.as_str()).collect();
    let existing = store.people_of(&ids).await?;
    let existing: HashMap<&str, &Person> =
        existing.iter().map(|person| (person.id.as_str(), person)).collect();
    let mut planned = Planned { people: Vec::new(), changes: Vec::new(), unchanged: 0 };
    let is_refused =
        |row: &&Row| !existing.contains_key(row.id.as_str()) && !is_new_user_id(&row.id);
    let refused: Vec<BadRow> = rows
        .iter()
        .filter(is_refused)
        .map(|row| BadRow::new(row.line, "invalid_value", format!("id: {USER_ID_RULE}")))
        .collect();
    if !refused.is_empty() {
        return Err(ImportError::Rows(refused));
    }
    let mut finals = Vec::new();
    for row in &rows {
        let before = existing.get(row.id.as_str()).copied();
        let (mut person, columns) = merge(row, before);
        person.events = events(&person, before, actor);
        if !permission.allows(&person, before) {
            return Err(ImportError::Denied);
        }
        let is_of_console = *permission == Permission::EverybodyButConsole
            && !is_of_riders(&person, before)
            && columns.iter().any(|column| ["email", "phone", "roles"].contains(column));
        if is_of_console {
            return Err(ImportError::ReauthenticationRequired);
        }
        finals.push((row.line, person.clone()));
        if before.is_some() && columns.is_empty() {
            planned.unchanged += 1;
            continue;
        }
        let user_id = row.id.clone();
        planned.changes.push(PersonChange {
            line: row.line,
            user_id,
            added: before.is_none(),
            console_account: console_account(&person, before, &columns),
            columns,
        });
        planned.people.push(person);
    }
    if matches!(permission, Permission::Riders(_)) {
        check_contacts(store, &planned).await?;
    }
    let bad = conflicts(store, &finals, permission).await?;
    if bad.is_empty() { Ok(planned) } else { Err(ImportError::Rows(bad)) }
}

/// Returns the subject of a console user who is added, or whose address changes.
fn console_account(
    person: &ImportedPerson,
    before: Option<&Person>,
    columns: &[&str],
) -> Option<String> {
    let had_console = before.is_some_and(|before| {
        before
            .roles
            .iter()
            .filter_map(|role| RoleGrant::from_stored(role))
            .any(|grant| grant.role.opens_console())
    });
    let opens_console = person.roles.iter().any(|grant| grant.role.opens_console());
    let has_other_address = columns.contains(&"email") || columns.contains(&"phone");
    if !opens_console || (had_console && !has_other_address) {
        return None;
    }
    let added = person.new.as_ref().map(|(subject, _)| subject.clone());
    added.or_else(|| before.map(|before| before.subject.clone()))
}

/// Rejects a new address for a person who has a session or decisions, because a code that is sent
/// there would give access to the account. Admins may change it.
async fn check_contacts(store: &Store, planned: &Planned) -> Result<(), ImportError> {
    let changed = planned.people.iter().filter(|person| person.contact.is_some());
    let ids: Vec<&str> = changed.map(|person| person.id.as_str()).collect();
    let bound = store.people_with_sessions_or_consents(&ids).await?;
    let bound: HashSet<String> = bound.into_iter().collect();
    let is_bound = |change: &&PersonChange| bound.contains(&change.user_id);
    let lines: Vec<u64> =
        planned.changes.iter().filter(is_bound).map(|change| change.line).collect();
    if lines.is_empty() { Ok(()) } else { Err(ImportError::ContactDenied(lines)) }
}

/// Returns the audit events about an existing person, with the names of the columns but not their
/// values.
fn events(person: &ImportedPerson, before: Option<&Person>, actor: &str) -> Vec<AuditEvent> {
    let Some(before) = before else { return Vec::new() };
    let event = |event, detail: String| AuditEvent {
        id: random::uuid(),
        event,
        subject: Some(before.subject.clone()),
        sid: None,
        detail: Some(detail.into()),
        actor: Some(actor.to_owned()),
    };
    let roles: Vec<String> = person.roles.iter().map(ToString::to_string).collect();
    let of_roles = person.has_other_roles.then(|| event("roles_changed", roles.join(" ")));
    let of_contact =
        person.contact.as_ref().map(|contact| event("contact_changed", contact.columns.join(" ")));
    of_roles.into_iter().chain(of_contact).collect()
}

fn is_of_riders(person: &ImportedPerson, before: Option<&Person>) -> bool {
    let is_rider = |role: &String| role == Role::Rider.as_str();
    let had = before.is_none_or(|before| before.roles.iter().all(is_rider));
    had && person.roles.iter().all(|grant| grant.role == Role::Rider)
}

/// Applies a row to a person, and returns the result and the columns that change.
fn merge(row: &Row, before: Option<&Person>) -> (ImportedPerson, Vec<&'static str>) {
    let pick = |value: &Option<Option<String>>, had: Option<&String>| match value {
        Some(value) => value.clone(),
        None => had.cloned(),
    };
    let had_roles: Vec<RoleGrant> = match before {
        Some(person) => {
            person.roles.iter().filter_map(|role| RoleGrant::from_stored(role)).collect()
        }
        None => vec![Role::Rider.into()],
    };
    let market = row.market.as_ref().map(|market| market.as_ref().map(ToString::to_string));
    let set = |roles: &[RoleGrant]| roles.iter().map(ToString::to_string).collect::<BTreeSet<_>>();
    let roles = row.roles.clone().unwrap_or_else(|| had_roles.clone());
    let has_other_roles = before.is_none() || set(&roles) != set(&had_roles);
    let email = pick(&row.email, before.and_then(|before| before.email.as_ref()));
    let phone = pick(&row.phone, before.and_then(|before| before.phone.as_ref()));
    let contact = before.and_then(|person| {
        let before = ContactDetails {
            email: person.email.clone(),
            phone: person.phone.clone(),
            locale: person.locale.clone(),
        };
        ContactChange::between(&before, email.as_deref(), phone.as_deref())
    });
    let person = ImportedPerson {
        id: row.id.clone(),
        email,
        phone,
        name: pick(&row.name, before.and_then(|before| before.name.as_ref())),
        market: pick(&market, before.and_then(|before| before.market.as_ref())),
        locale: pick(&row.locale, before.and_then(|before| before.locale.as_ref())),
        roles,
        has_other_roles,
        contact,
        events: Vec::new(),
        new: before.is_none().then(|| (random::uuid(), random::hex::<32>())),
    };
    let had =
        |field: fn(&Person) -> &Option<String>| before.and_then(|before| field(before).clone());
    let columns = [
        ("email", person.email != had(|before| &before.email)),
        ("phone", person.phone != had(|before| &before.phone)),
        ("name", person.name != had(|before| &before.name)),
        ("market", person.market != had(|before| &before.market)),
        ("locale", person.locale != had(|before| &before.locale)),
        ("roles", has_other_roles),
    ];
    let columns = columns.into_iter().filter(|(_, differs)| *differs).map(|(name, _)| name);
    (person, columns.collect())
}

/// Returns the lines whose e-mail address or phone number is also used by another line, or by a
/// person who is not in the file.
///
/// # Errors
/// [`ImportError::Denied`] if such a person is outside the permitted markets, so that the response does
/// not reveal them.
async fn conflicts(
    store: &Store,
    finals: &[(u64, ImportedPerson)],
    permission: &Permission,
) -> Result<Vec<BadRow>, ImportError> {
    let mut bad = Vec::new();
    let mut owners: HashMap<&str, &str> = HashMap::new();
    let addresses = |person: &ImportedPerson| {
        [person.email.clone(), person.phone.clone()].into_iter().flatten().collect::<Vec<_>>()
    };
    for (line, person) in finals {
        for address in [&person.email, &person.phone].into_iter().flatten() {
            if owners.insert(address, &person.id).is_some() {
                let detail = "Another line has the same e-mail address or phone number.";
                bad.push(BadRow::new(*line, "conflict", detail));
            }
        }
    }
    let all: Vec<String> = finals.iter().flat_map(|(_, person)| addresses(person)).collect();
    let in_file: BTreeSet<&str> = finals.iter().map(|(_, person)| person.id.as_str()).collect();
    let used = store.owners_of(&all).await?;
    let used: HashMap<&str, &str> =
        used.iter().map(|(address, id)| (address.as_str(), id.as_str())).collect();
    let mut others = BTreeSet::new();
    for (line, person) in finals {
        let owners =
            addresses(person).into_iter().filter_map(|address| used.get(address.as_str()).copied());
        for owner in owners {
            // A person in the file may give up the address in the same import.
            if owner != person.id && !in_file.contains(owner) {
                let detail = "Another person has this e-mail address or phone number.";
                bad.push(BadRow::new(*line, "conflict", detail));
                others.insert(owner);
            }
        }
    }
    let others: Vec<&str> = others.into_iter().collect();
    let others = store.people_of(&others).await?;
    if others.iter().all(|other| permission.may_reveal(other)) {
        Ok(bad)
    } else {
        Err(ImportError::Denied)
    }
}
