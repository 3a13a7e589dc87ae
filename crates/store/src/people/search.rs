//! The search text of people: ID, e-mail address, phone number and name as one normalized text, so
//! that "jose" finds "José" and "иван" finds "Иван" on both engines. Scanning it takes a fraction
//! of the time of scanning the people themselves.

use unicode_normalization::UnicodeNormalization as _;

use crate::db::batch::{ColumnType, Table, json};
use crate::db::error::StoreError;
use crate::db::{Store, modify};
use crate::people::former::{NORMALISE_EMAIL, NORMALISE_PHONE, normal_form};

/// Not included in a backup, because it is rebuilt from the people.
const SEARCH: Table = Table {
    name: "people_search",
    columns: &[("user_id", ColumnType::Text), ("text", ColumnType::Text)],
};
const SELECT_IS_INCOMPLETE: &str =
    "SELECT (SELECT count(*) FROM users) > (SELECT count(*) FROM people_search)";
const SELECT_WITHOUT_TEXT: &str = "SELECT id, email, phone, name FROM users
    WHERE NOT EXISTS (SELECT 1 FROM people_search WHERE user_id = users.id) LIMIT $1";
pub(crate) const SELECT_SEARCH_DATA: &str =
    "SELECT id, email, phone, name FROM users WHERE id = $1";
pub(crate) const UPSERT_SEARCH_TEXT: &str =
    "INSERT INTO people_search (user_id, text) VALUES ($1, $2)
    ON CONFLICT (user_id) DO UPDATE SET text = excluded.text";

#[cfg(test)]
pub(crate) const ALL: &[&str] =
    &[SELECT_IS_INCOMPLETE, SELECT_WITHOUT_TEXT, SELECT_SEARCH_DATA, UPSERT_SEARCH_TEXT];

const PEOPLE_PER_STATEMENT: i64 = 5_000;
/// Precedes an ID, an e-mail address or a phone number, which are found by their beginning. None of
/// them contains a control character.
const START: char = '\n';
/// Precedes the name, which is found by any part.
const NAME: char = '\t';

#[derive(sqlx_macros::FromRow)]
pub(crate) struct SearchData {
    pub(crate) id: String,
    email: Option<String>,
    phone: Option<String>,
    name: Option<String>,
}

impl SearchData {
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for part in [Some(&self.id), self.email.as_ref(), self.phone.as_ref()] {
            text.push(START);
            text.extend(normalized(part.map_or("", String::as_str)));
        }
        text.push(NAME);
        text.extend(normalized(self.name.as_deref().unwrap_or_default()));
        text
    }
}

/// Removes case, accents, Hebrew points and Arabic vowel signs, which people do not type into a
/// search.
fn normalized(text: &str) -> impl Iterator<Item = char> {
    let is_sign = |c: &char| {
        matches!(c, '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5c7}' | '\u{640}'
            | '\u{64b}'..='\u{65f}' | '\u{670}')
    };
    text.nfkd().flat_map(char::to_lowercase).filter(move |c| !is_sign(c)).flat_map(|c| {
        let plain = plain_letters(c);
        plain.chars().chain(plain.is_empty().then_some(c))
    })
}

/// Letters that NFKD and lower case leave apart from those that people type for them. Empty: the letter itself.
fn plain_letters(c: char) -> &'static str {
    match c {
        'ı' => "i",
        'ς' => "σ",
        'ß' => "ss",
        'ł' => "l",
        'ø' => "o",
        'đ' | 'ð' => "d",
        'ħ' => "h",
        'æ' => "ae",
        'œ' => "oe",
        'þ' => "th",
        _ => "",
    }
}

/// Returns two LIKE patterns for a typed text: for the beginning of an ID, e-mail address or phone
/// number, and for a part of a name. An empty text matches all people; `%` and `_` are literal.
pub(crate) fn patterns(text: &str) -> [String; 2] {
    let mut typed = String::new();
    for letter in normalized(text.trim()) {
        if matches!(letter, '%' | '_' | '\\') {
            typed.push('\\');
        }
        typed.push(if letter.is_control() { ' ' } else { letter });
    }
    [format!("%{START}{typed}%"), format!("%{NAME}%{typed}%")]
}

impl Store {
    /// Adds missing search texts: all of a store that was restored or created by an older version. Such a store may have
    /// addresses in a former form, so these are normalised first.
    pub(crate) async fn index_people(&self) -> Result<(), StoreError> {
        modify!(self, |pool| {
            while sqlx::query_scalar(SELECT_IS_INCOMPLETE).fetch_one(pool).await? {
                let mut people: Vec<SearchData> = sqlx::query_as(SELECT_WITHOUT_TEXT)
                    .bind(PEOPLE_PER_STATEMENT)
                    .fetch_all(pool)
                    .await?;
                for SearchData { id, email, phone, .. } in &mut people {
                    for (address, sql) in [(email, NORMALISE_EMAIL), (phone, NORMALISE_PHONE)] {
                        let Some(normal) = normal_form(address.as_ref()) else { continue };
                        let changed =
                            sqlx::query(sql).bind(&*id).bind(&normal).execute(pool).await?;
                        if changed.rows_affected() > 0 {
                            *address = Some(normal);
                        }
                    }
                }
                let rows: Vec<_> =
                    people.iter().map(|person| [person.id.clone(), person.text()]).collect();
                let sql = SEARCH.insert_new(self.engine(), "user_id");
                sqlx::query(sql).bind(json(&rows)).execute(pool).await?;
            }
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::normalized;

    fn normalize(text: &str) -> String {
        normalized(text).collect()
    }

    #[test]
    fn normalizes_accents_case_and_vowel_signs() {
        assert_eq!(normalize("José Ñandú"), normalize("jose nandu"));
        assert_eq!(normalize("Иван"), normalize("иван"));
        assert_eq!(normalize("İpek"), normalize("ipek"));
        assert_eq!(normalize("أَحْمَد"), normalize("احمد"));
        assert_eq!(normalize("Ｎｏｏｒ"), normalize("noor"));
        for text in ["Yıldız", "YILDIZ", "yildiz", "YİLDİZ"] {
            assert_eq!(normalize(text), "yildiz", "{text}");
        }
        assert_eq!(normalize("Βορράς"), normalize("ΒΟΡΡΑΣ"));
        assert_eq!(normalize("Straße"), normalize("STRASSE"));
        assert_eq!(normalize("Łukasz Sørensen Þór"), normalize("lukasz sorensen thor"));
    }

    #[test]
    fn keeps_vowels_that_are_letters() {
        assert_ne!(normalize("राम"), normalize("रमा"));
    }
}
