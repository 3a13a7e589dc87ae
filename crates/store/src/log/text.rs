//! The text of an entry in its column. On SQLite, entries of submissions are packed. On PostgreSQL
//! they are plain text, because servers of the previous version read them there. Reading supports
//! both forms on both engines.

use std::ops::Deref;

use musette_core::log::packed::{pack, unpack};
use serde::{Deserialize, Deserializer};
use sqlx::{Database, Decode, Type};

use crate::db::Engine;

/// A column value as the text that was logged. A value that cannot be unpacked is returned
/// unchanged: its hash then differs from the logged one, and `log verify` reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryText(String);

impl EntryText {
    fn of(stored: String) -> Self {
        Self(unpack(&stored).unwrap_or(stored))
    }
}

impl Deref for EntryText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl From<EntryText> for String {
    fn from(text: EntryText) -> Self {
        text.0
    }
}

impl<D: Database> Type<D> for EntryText
where
    String: Type<D>,
{
    fn type_info() -> D::TypeInfo {
        <String as Type<D>>::type_info()
    }

    fn compatible(info: &D::TypeInfo) -> bool {
        <String as Type<D>>::compatible(info)
    }
}

impl<'r, D: Database> Decode<'r, D> for EntryText
where
    String: Decode<'r, D>,
{
    fn decode(value: D::ValueRef<'r>) -> Result<Self, sqlx::error::BoxDynError> {
        Ok(Self::of(<String as Decode<'r, D>>::decode(value)?))
    }
}

impl<'de> Deserialize<'de> for EntryText {
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        Ok(Self::of(String::deserialize(value)?))
    }
}

/// Returns the value for the column.
pub(crate) fn stored(engine: Engine, text: &str) -> String {
    let packed = (engine == Engine::Sqlite).then(|| pack(text)).flatten();
    packed.unwrap_or_else(|| text.to_owned())
}
