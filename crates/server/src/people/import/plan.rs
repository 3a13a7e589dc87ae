//! What a file would change: compared with the people who are there.

use std::collections::{BTreeSet, HashMap, HashSet};

use musette_core::markets::Market;
use musette_core::session::{Role, RoleGrant};
use musette_store::{
    AuditEvent, Contact, ContactChange, ImportedPerson, Person, Store, StoreError,
};
use serde::Serialize;

use super::{BadRow, Row};
use crate::random;

/// What whoever imports may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Permission {
    /// Riders only: neither giving nor taking other roles, nor changing people who have them. Of these markets, and to
    /// these, or of all.
    Riders(Option<Vec<Market>>),
    /// Everybody, except that nobody gains or loses a role of the console and no address of a person with one changes: an
    /// admin who has not proved lately who they are.
    EverybodyButConsole,
    /// Everybody.
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
        let was_inside = before.is_none_or(|it| is_inside(it.market.as_ref()));
        is_of_riders(person, before) && was_inside && is_inside(person.market.as_ref())
    }

    /// Whether the answer may say that there is such a person.
    fn shows(&self, person: &Person) -> bool {
        match self {
            Self::Riders(Some(markets)) => {
                let market = person.market.as_deref().and_then(Market::from_stored);
                market.is_some_and(|market| markets.iter().any(|outer| market.is_within(outer)))
            }
            Self::Riders(None) | Self::EverybodyButConsole | Self::Everybody => true,
        }
    }
}

/// Why nothing is changed.
#[derive(Debug)]
pub enum Refused {
    /// These lines are bad.
    Rows(Vec<BadRow>),
    /// A line is about roles other than `rider`, or about a market outside.
    Denied,
    /// A line changes the roles or the address of a person of the console, and the admin has to prove first who they are.
    ReauthenticationRequired,
    /// These lines change the e-mail address or phone number of somebody who has sessions or decisions.
    ContactDenied(Vec<u64>),
    /// Nobody would be an admin any more.
    LastAdmin,
    /// The store could not be read or written.
    Store(StoreError),
}

impl From<StoreError> for Refused {
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
    /// The user id.
    pub user_id: String,
    /// True if the person is new.
    pub added: bool,
    /// The columns with a changed value.
    pub columns: Vec<&'static str>,
    /// Subject of an account of the console that is added, or gets another address.
    #[serde(skip)]
    #[schema(ignore)]
    pub console_account: Option<String>,
}

/// What the file changes.
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
/// When it is refused, or the store cannot be read.
pub async fn plan(
    store: &Store,
    rows: Vec<Row>,
    permission: &Permission,
    actor: &str,
) -> Result<Planned, Refused> {
    let ids: Vec<&str> = rows.iter().map(|row| row.id.as_str()).collect();
    let there = store.people_of(&ids).await?;
    let there: HashMap<&str, &Person> = there.iter().map(|it| (it.id.as_str(), it)).collect();
    let mut planned = Planned { people: Vec::new(), changes: Vec::new(), unchanged: 0 };
    let mut finals = Vec::new();
    for row in &rows {
        let before = there.get(row.id.as_str()).copied();
        let (mut person, columns) = merged(row, before);
        person.events = events(&person, before, actor);
        if !permission.allows(&person, before) {
            return Err(Refused::Denied);
        }
        let is_of_console = *permission == Permission::EverybodyButConsole
            && !is_of_riders(&person, before)
            && columns.iter().any(|column| ["email", "phone", "roles"].contains(column));
        if is_of_console {
            return Err(Refused::ReauthenticationRequired);
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
    if bad.is_empty() { Ok(planned) } else { Err(Refused::Rows(bad)) }
}

/// Subject of an account of the console that is added, or gets another address.
fn console_account(
    person: &ImportedPerson,
    before: Option<&Person>,
    columns: &[&str],
) -> Option<String> {
    let had_console = before.is_some_and(|it| {
        it.roles
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
    added.or_else(|| before.map(|it| it.subject.clone()))
}

/// Refuses a new address for somebody who has a session or has decided something: a code that is sent there would open
/// their account. Admins may do it.
async fn check_contacts(store: &Store, planned: &Planned) -> Result<(), Refused> {
    let changed = planned.people.iter().filter(|person| person.contact.is_some());
    let ids: Vec<&str> = changed.map(|person| person.id.as_str()).collect();
    let bound = store.people_with_sessions_or_consents(&ids).await?;
    let bound: HashSet<String> = bound.into_iter().collect();
    let is_bound = |change: &&PersonChange| bound.contains(&change.user_id);
    let lines: Vec<u64> = planned.changes.iter().filter(is_bound).map(|it| it.line).collect();
    if lines.is_empty() { Ok(()) } else { Err(Refused::ContactDenied(lines)) }
}

/// Rows of the audit about one person who is there; the columns are named, not their values.
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
        person.contact.as_ref().map(|it| event("contact_changed", it.columns.join(" ")));
    of_roles.into_iter().chain(of_contact).collect()
}

fn is_of_riders(person: &ImportedPerson, before: Option<&Person>) -> bool {
    let had = before.is_none_or(|it| it.roles.iter().all(|role| role == Role::Rider.as_str()));
    had && person.roles.iter().all(|grant| grant.role == Role::Rider)
}

/// The person as the row leaves them, and what is another than before.
fn merged(row: &Row, before: Option<&Person>) -> (ImportedPerson, Vec<&'static str>) {
    let pick = |given: &Option<Option<String>>, had: Option<&String>| match given {
        Some(given) => given.clone(),
        None => had.cloned(),
    };
    let had_roles: Vec<RoleGrant> = match before {
        Some(person) => person.roles.iter().filter_map(|it| RoleGrant::from_stored(it)).collect(),
        None => vec![Role::Rider.into()],
    };
    let market = row.market.as_ref().map(|it| it.as_ref().map(ToString::to_string));
    let set = |roles: &[RoleGrant]| roles.iter().map(ToString::to_string).collect::<BTreeSet<_>>();
    let roles = row.roles.clone().unwrap_or_else(|| had_roles.clone());
    let has_other_roles = before.is_none() || set(&roles) != set(&had_roles);
    let email = pick(&row.email, before.and_then(|it| it.email.as_ref()));
    let phone = pick(&row.phone, before.and_then(|it| it.phone.as_ref()));
    let contact = before.and_then(|person| {
        let before = Contact {
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
        name: pick(&row.name, before.and_then(|it| it.name.as_ref())),
        market: pick(&market, before.and_then(|it| it.market.as_ref())),
        locale: pick(&row.locale, before.and_then(|it| it.locale.as_ref())),
        roles,
        has_other_roles,
        contact,
        events: Vec::new(),
        new: before.is_none().then(|| (random::uuid(), random::hex::<32>())),
    };
    let had = |of: fn(&Person) -> &Option<String>| before.and_then(|it| of(it).clone());
    let columns = [
        ("email", person.email != had(|it| &it.email)),
        ("phone", person.phone != had(|it| &it.phone)),
        ("name", person.name != had(|it| &it.name)),
        ("market", person.market != had(|it| &it.market)),
        ("locale", person.locale != had(|it| &it.locale)),
        ("roles", has_other_roles),
    ];
    let columns = columns.into_iter().filter(|(_, differs)| *differs).map(|(name, _)| name);
    (person, columns.collect())
}

/// Lines whose e-mail address or phone number another line has, or a person who is not in the file.
///
/// # Errors
/// [`Refused::Denied`] when such a person is outside the markets of the permission: the answer does not say that they exist.
async fn conflicts(
    store: &Store,
    finals: &[(u64, ImportedPerson)],
    permission: &Permission,
) -> Result<Vec<BadRow>, Refused> {
    let mut bad = Vec::new();
    let mut owners: HashMap<&str, &str> = HashMap::new();
    let addresses = |person: &ImportedPerson| {
        [person.email.clone(), person.phone.clone()].into_iter().flatten().collect::<Vec<_>>()
    };
    for (line, person) in finals {
        for address in [&person.email, &person.phone].into_iter().flatten() {
            if owners.insert(address, &person.id).is_some() {
                let detail = "Another line has this e-mail address or phone number.";
                bad.push(BadRow::new(*line, "conflict", detail));
            }
        }
    }
    let all: Vec<String> = finals.iter().flat_map(|(_, person)| addresses(person)).collect();
    let in_file: BTreeSet<&str> = finals.iter().map(|(_, person)| person.id.as_str()).collect();
    let taken = store.owners_of(&all).await?;
    let taken: HashMap<&str, &str> =
        taken.iter().map(|(address, id)| (address.as_str(), id.as_str())).collect();
    let mut others = BTreeSet::new();
    for (line, person) in finals {
        let owners = addresses(person).into_iter().filter_map(|it| taken.get(it.as_str()).copied());
        for owner in owners {
            // Whoever is in the file, too, may give the address away there.
            if owner != person.id && !in_file.contains(owner) {
                let detail = "Somebody else has this e-mail address or phone number.";
                bad.push(BadRow::new(*line, "conflict", detail));
                others.insert(owner);
            }
        }
    }
    let others: Vec<&str> = others.into_iter().collect();
    let others = store.people_of(&others).await?;
    if others.iter().all(|other| permission.shows(other)) { Ok(bad) } else { Err(Refused::Denied) }
}
