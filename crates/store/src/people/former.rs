//! E-mail addresses, phone numbers and user IDs in a form that earlier versions stored. A sign-in looks an address up in
//! its normal form, so it does not find such a person.

use musette_core::session::Identifier;
use musette_core::typed_text::is_normal;

use crate::db::error::StoreError;
use crate::db::{Store, read};

/// Changes an address only if no other person has it: two people must stay two.
pub(crate) const NORMALISE_EMAIL: &str = "UPDATE users SET email = $2 WHERE id = $1
    AND NOT EXISTS (SELECT 1 FROM users AS other WHERE other.email = $2)";
pub(crate) const NORMALISE_PHONE: &str = "UPDATE users SET phone = $2 WHERE id = $1
    AND NOT EXISTS (SELECT 1 FROM users AS other WHERE other.phone = $2)";
const SELECT_PAGE: &str = "SELECT id, email, phone FROM users WHERE id > $1 ORDER BY id LIMIT $2";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[NORMALISE_EMAIL, NORMALISE_PHONE, SELECT_PAGE];

const PEOPLE_PER_PAGE: i64 = 5_000;

/// Users whose data is in a former form, by their IDs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FormerForms {
    /// Users with an address that is not in its normal form, because another user has that address or it cannot be
    /// right.
    pub addresses: Vec<String>,
    /// IDs with invisible characters or compatibility forms.
    pub ids: Vec<String>,
}

/// Returns the normal form of a stored address if it is another one.
pub(crate) fn normal_form(address: Option<&String>) -> Option<String> {
    let address = address?;
    let normal = Identifier::parse(address)?;
    (normal.as_str() != address).then(|| normal.as_str().to_owned())
}

fn is_former(address: Option<&String>) -> bool {
    address.is_some_and(|address| {
        Identifier::parse(address).is_none_or(|normal| normal.as_str() != address)
    })
}

impl Store {
    /// Returns the users whose addresses or IDs are in a former form. Reads all people.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn former_forms(&self) -> Result<FormerForms, StoreError> {
        let mut forms = FormerForms::default();
        let mut after = String::new();
        loop {
            type Row = (String, Option<String>, Option<String>);
            let page: Vec<Row> = read!(self, |pool| {
                sqlx::query_as(SELECT_PAGE).bind(&after).bind(PEOPLE_PER_PAGE).fetch_all(pool).await
            })?;
            let Some((last, ..)) = page.last() else { return Ok(forms) };
            after.clone_from(last);
            for (id, email, phone) in page {
                if is_former(email.as_ref()) || is_former(phone.as_ref()) {
                    forms.addresses.push(id.clone());
                }
                if !is_normal(&id) {
                    forms.ids.push(id);
                }
            }
        }
    }
}
