//! Imports a CSV file of people. All lines are checked before anything is changed. An absent column
//! changes nothing, an empty cell clears the value.

mod plan;

use std::collections::HashMap;

use musette_core::instant::Instant;
use musette_core::markets::Market;
use musette_core::session::{Identifier, Role, RoleGrant};
use musette_core::terms::is_language_tag;
use musette_store::{PeopleImport, Store, StoreError};
use serde::Serialize;

use crate::markets::Markets;
use crate::people::{NAME_RULE, USER_ID_RULE, is_user_id, person_name};
use crate::platform::csv::unguarded;
use crate::platform::delimited::{NotUtf8, Records};
use crate::platform::text_file::decoded;

pub use plan::{ImportError, Permission, PersonChange, Planned, plan};

const COLUMNS: [&str; 7] = ["id", "email", "phone", "name", "roles", "market", "locale"];
/// The maximum number of invalid lines that are listed; further ones are listed after these are
/// fixed.
const BAD_ROWS_MAX: usize = 10_000;
/// How often the file is checked again because people were changed in the meantime.
const ATTEMPTS_MAX: usize = 8;
/// The maximum length of content from the file that a message contains.
const QUOTED_CHARS_MAX: usize = 40;

/// A line that is rejected; the header is line 1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct BadRow {
    /// The number of the line in the file, counted from 1, including the header.
    #[schema(minimum = 1)]
    pub line: u64,
    /// The error code: `unknown_column`, `missing_column`, `invalid_value`, `unknown_role`,
    /// `unknown_market`, `duplicate_id`, `conflict`, `too_many`.
    pub code: String,
    /// A description of the error in English.
    pub detail: String,
}

impl BadRow {
    fn new(line: u64, code: &str, detail: impl Into<String>) -> Self {
        Self { line, code: code.to_owned(), detail: detail.into() }
    }
}

/// The file and the options of an import.
#[derive(Debug, Clone)]
pub struct ImportFile<'a> {
    pub bytes: &'a [u8],
    pub permission: Permission,
    /// The actor for the audit: a subject, or `command`.
    pub actor: &'a str,
    /// The maximum number of people; a file with more is rejected.
    pub rows_max: usize,
    /// Whether to check all lines without changing anything.
    pub is_dry_run: bool,
}

/// A line of the file. A value that is not in the file remains unchanged.
#[derive(Debug, Clone, Default)]
pub struct Row {
    pub line: u64,
    pub id: String,
    pub email: Option<Option<String>>,
    pub phone: Option<Option<String>>,
    pub name: Option<Option<String>>,
    pub roles: Option<Vec<RoleGrant>>,
    pub market: Option<Option<Market>>,
    pub locale: Option<Option<String>>,
}

/// Reads and checks all lines.
///
/// # Errors
///
/// Returns all lines that are rejected.
pub fn read(bytes: &[u8], rows_max: usize, markets: &Markets) -> Result<Vec<Row>, Vec<BadRow>> {
    let text = decoded(bytes).map_err(|detail| vec![BadRow::new(1, "invalid_value", detail)])?;
    let mut records = Records::new(&text, &COLUMNS);
    let (head_line, head) = match records.next() {
        Some((line, Ok(head))) => (line, head),
        Some((line, Err(_))) => {
            return Err(vec![BadRow::new(line, "invalid_value", NotUtf8::DETAIL)]);
        }
        None => return Err(vec![BadRow::new(1, "missing_column", "The file is empty.")]),
    };
    let head: Vec<&str> = head.iter().map(str::trim).collect();
    let mut bad = bad_columns(head_line, &head);
    if !bad.is_empty() {
        return Err(bad);
    }
    let (mut rows, mut first_lines) = (Vec::new(), HashMap::new());
    let mut last = head_line;
    for (line, record) in records {
        if bad.len() >= BAD_ROWS_MAX {
            let detail = "There are too many errors: the lines after this one were not read.";
            bad.push(BadRow::new(last, "too_many", detail));
            break;
        }
        if rows.len() >= rows_max {
            let detail = format!("A file may have at most {rows_max} people: split it.");
            bad.push(BadRow::new(last + 1, "too_many", detail));
            break;
        }
        last = line;
        let Ok(record) = record else {
            bad.push(BadRow::new(line, "invalid_value", NotUtf8::DETAIL));
            continue;
        };
        if record.len() != head.len() {
            let (cells, columns) = (record.len(), head.len());
            let detail = format!("The number of cells is {cells}, but the header has {columns}.");
            bad.push(BadRow::new(line, "invalid_value", detail));
            continue;
        }
        match parse_row(line, &head, &record, markets) {
            Ok(row) => {
                if let Some(first) = first_lines.insert(row.id.clone(), line) {
                    let detail = format!("Line {first} has the same id.");
                    bad.push(BadRow::new(line, "duplicate_id", detail));
                }
                rows.push(row);
            }
            Err(errors) => bad.extend(errors),
        }
    }
    if bad.is_empty() { Ok(rows) } else { Err(bad) }
}

fn bad_columns(line: u64, head: &[&str]) -> Vec<BadRow> {
    let mut bad = Vec::new();
    for (i, name) in head.iter().enumerate() {
        if bad.len() >= COLUMNS.len() {
            // Further errors of such a line would not help.
            break;
        }
        if !COLUMNS.contains(name) {
            let detail = format!("The column '{}' is unknown.", truncate(name));
            bad.push(BadRow::new(line, "unknown_column", detail));
        } else if head[..i].contains(name) {
            bad.push(BadRow::new(
                line,
                "unknown_column",
                format!("The column '{name}' occurs twice."),
            ));
        }
    }
    if !head.contains(&"id") {
        bad.push(BadRow::new(line, "missing_column", "The column 'id' is missing."));
    }
    bad
}

fn truncate(text: &str) -> String {
    text.chars().take(QUOTED_CHARS_MAX).collect()
}

fn parse_row(
    line: u64,
    head: &[&str],
    record: &csv::StringRecord,
    markets: &Markets,
) -> Result<Row, Vec<BadRow>> {
    let mut row = Row { line, ..Row::default() };
    let mut bad = Vec::new();
    for (&column, cell) in head.iter().zip(record) {
        let cell = unguarded(cell.trim());
        if let Err((code, detail)) = set(&mut row, column, &cell, markets) {
            bad.push(BadRow::new(line, code, format!("{column}: {detail}")));
        }
    }
    if bad.is_empty() { Ok(row) } else { Err(bad) }
}

type Checked<T> = Result<T, (&'static str, String)>;

fn set(row: &mut Row, column: &str, cell: &str, markets: &Markets) -> Checked<()> {
    let invalid = |detail: &str| ("invalid_value", detail.to_owned());
    let value = (!cell.is_empty()).then_some(cell);
    match column {
        "id" if is_user_id(cell) => cell.clone_into(&mut row.id),
        "id" => return Err(invalid(USER_ID_RULE)),
        "email" => {
            row.email = Some(match value.map(Identifier::parse) {
                None => None,
                Some(Some(Identifier::Email(email))) => Some(email),
                Some(_) => return Err(invalid("This is not an e-mail address.")),
            });
        }
        "phone" => {
            row.phone = Some(match value.map(Identifier::parse) {
                None => None,
                Some(Some(Identifier::Phone(phone))) => Some(phone),
                Some(_) => return Err(invalid("This is not a phone number.")),
            });
        }
        "name" => {
            row.name = Some(match value.map(person_name) {
                None => None,
                Some(Some(name)) => Some(name),
                Some(None) => return Err(invalid(NAME_RULE)),
            });
        }
        "roles" => row.roles = Some(roles(cell)?),
        "market" => {
            let market = value.map(|code| markets.asked(code));
            let market = market.transpose();
            row.market = Some(market.map_err(|unknown| ("unknown_market", unknown.to_string()))?);
        }
        "locale" if value.is_none_or(is_language_tag) => {
            row.locale = Some(value.map(str::to_owned));
        }
        _ => return Err(invalid("This is not a language tag, such as de or pt-BR.")),
    }
    Ok(())
}

/// Parses the roles. An empty cell makes the person a rider, as in `POST /people`.
fn roles(cell: &str) -> Checked<Vec<RoleGrant>> {
    let mut roles = Vec::new();
    for name in cell.split_whitespace() {
        let role = RoleGrant::parse(name).ok_or_else(|| {
            ("unknown_role", format!("The role '{}' is unknown.", truncate(name)))
        })?;
        if !roles.contains(&role) {
            roles.push(role);
        }
    }
    if roles.is_empty() {
        roles.push(Role::Rider.into());
    }
    Ok(roles)
}

/// Reads a file, compares it with the store, and applies all differences or none.
///
/// # Errors
///
/// Returns an error if the file is rejected, or if the store cannot be read or written.
pub async fn import(
    store: &Store,
    request: &ImportFile<'_>,
    now: Instant,
) -> Result<Planned, ImportError> {
    let mut conflict = None;
    for _ in 0..ATTEMPTS_MAX {
        // The revision is read first, so that later changes are detected when the file is applied.
        let revision = store.revision().await?;
        let markets = Markets::load(store).await?;
        let rows = read(request.bytes, request.rows_max, &markets).map_err(ImportError::Rows)?;
        let planned = plan(store, rows, &request.permission, request.actor).await?;
        if request.is_dry_run || planned.people.is_empty() {
            return Ok(planned);
        }
        match store.import_people(&planned.people, revision, now).await {
            Ok(PeopleImport::Done) => return Ok(planned),
            Ok(PeopleImport::LastAdmin) => return Err(ImportError::LastAdmin),
            // The next attempt finds the owner of the address, and whether the caller may know of
            // them.
            Ok(PeopleImport::Changed) => {}
            Err(error @ StoreError::Conflict(_)) => conflict = Some(error),
            Err(error) => return Err(error.into()),
        }
    }
    Err(conflict.unwrap_or_else(StoreError::timed_out).into())
}
