//! The search text of people: id, e-mail, phone and name as one text, folded, so that "jose" finds
//! "José" and "иван" finds "Иван" on both engines. Scanning it takes a fraction of the time of
//! scanning the people themselves.

use unicode_normalization::UnicodeNormalization as _;

use crate::db::batch::{ColumnType, Table, json};
use crate::db::error::StoreError;
use crate::db::{Store, write};

/// Not in a backup: it is rebuilt from the people.
const SEARCH: Table = Table {
    name: "people_search",
    columns: &[("user_id", ColumnType::Text), ("text", ColumnType::Text)],
};
const IS_BEHIND: &str =
    "SELECT (SELECT count(*) FROM users) > (SELECT count(*) FROM people_search)";
const WITHOUT: &str = "SELECT id, email, phone, name FROM users
    WHERE NOT EXISTS (SELECT 1 FROM people_search WHERE user_id = users.id) LIMIT $1";
pub(crate) const FOUND_BY: &str = "SELECT id, email, phone, name FROM users WHERE id = $1";
pub(crate) const SET: &str = "INSERT INTO people_search (user_id, text) VALUES ($1, $2)
    ON CONFLICT (user_id) DO UPDATE SET text = excluded.text";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[IS_BEHIND, WITHOUT, FOUND_BY, SET];

const AT_ONCE: i64 = 5_000;
/// Before an id, an e-mail address or a phone number: these are found by their beginning. None of
/// them has a control character.
const START: char = '\n';
/// Before the name, of which any part is looked for.
const NAME: char = '\t';

#[derive(sqlx_macros::FromRow)]
pub(crate) struct FoundBy {
    pub(crate) id: String,
    email: Option<String>,
    phone: Option<String>,
    name: Option<String>,
}

impl FoundBy {
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for part in [Some(&self.id), self.email.as_ref(), self.phone.as_ref()] {
            text.push(START);
            text.extend(folded(part.map_or("", String::as_str)));
        }
        text.push(NAME);
        text.extend(folded(self.name.as_deref().unwrap_or_default()));
        text
    }
}

/// Without case, accents, Hebrew points and Arabic vowel signs, which nobody types into a search.
fn folded(text: &str) -> impl Iterator<Item = char> {
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

/// Two LIKE patterns for a typed text: for the beginning of an id, e-mail or phone, and for a part
/// of a name. An empty text matches everybody; `%` and `_` are literal.
pub(crate) fn patterns(text: &str) -> [String; 2] {
    let mut typed = String::new();
    for letter in folded(text.trim()) {
        if matches!(letter, '%' | '_' | '\\') {
            typed.push('\\');
        }
        typed.push(if letter.is_control() { ' ' } else { letter });
    }
    [format!("%{START}{typed}%"), format!("%{NAME}%{typed}%")]
}

impl Store {
    /// Adds those that are missing: all of a store that was restored or comes from an older version.
    pub(crate) async fn index_people(&self) -> Result<(), StoreError> {
        write!(self, |pool| {
            while sqlx::query_scalar(IS_BEHIND).fetch_one(pool).await? {
                let people: Vec<FoundBy> =
                    sqlx::query_as(WITHOUT).bind(AT_ONCE).fetch_all(pool).await?;
                let rows: Vec<_> = people.iter().map(|it| [it.id.clone(), it.text()]).collect();
                let sql = SEARCH.insert_new(self.engine(), "user_id");
                sqlx::query(sql).bind(json(&rows)).execute(pool).await?;
            }
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::folded;

    fn fold(text: &str) -> String {
        folded(text).collect()
    }

    #[test]
    fn what_is_typed_without_signs_finds_what_has_them() {
        assert_eq!(fold("José Ñandú"), fold("jose nandu"));
        assert_eq!(fold("Иван"), fold("иван"));
        assert_eq!(fold("İpek"), fold("ipek"));
        assert_eq!(fold("أَحْمَد"), fold("احمد"));
        assert_eq!(fold("Ｎｏｏｒ"), fold("noor"));
        for text in ["Yıldız", "YILDIZ", "yildiz", "YİLDİZ"] {
            assert_eq!(fold(text), "yildiz", "{text}");
        }
        assert_eq!(fold("Βορράς"), fold("ΒΟΡΡΑΣ"));
        assert_eq!(fold("Straße"), fold("STRASSE"));
        assert_eq!(fold("Łukasz Sørensen Þór"), fold("lukasz sorensen thor"));
    }

    #[test]
    fn vowels_that_are_letters_stay() {
        assert_ne!(fold("राम"), fold("रमा"));
    }
}
