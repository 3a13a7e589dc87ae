//! Reads and writes many rows with one statement. Row by row, the drivers write 5,000 rows a
//! second; with one statement for each batch, 25,000 to 79,000. JSON is the only list that both
//! engines can unpack. Both unpack it into their binary JSON type, because with a text each `->>`
//! parses the whole row again.

use sqlx::AssertSqlSafe;
use sqlx::error::BoxDynError;
use sqlx::postgres::PgArguments;

use crate::db::Engine;

/// The type of a value in the JSON array and of the column that stores it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColumnType {
    Text,
    Int,
    Bool,
    Real,
    /// Hex in the JSON.
    Bytes,
}

/// A table with its columns, in the order of the values in a row's JSON array.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) name: &'static str,
    pub(crate) columns: &'static [(&'static str, ColumnType)],
}

impl Table {
    /// Returns an INSERT whose `$1` is a JSON array of rows, each an array of values.
    pub(crate) fn insert(&self, engine: Engine) -> AssertSqlSafe<String> {
        let names: Vec<&str> = self.columns.iter().map(|(name, _)| *name).collect();
        let values: Vec<String> =
            self.columns.iter().enumerate().map(|(i, (_, kind))| value(engine, i, *kind)).collect();
        let source = match engine {
            Engine::Sqlite => "jsonb_each($1) AS rows",
            Engine::Postgres => "jsonb_array_elements($1::jsonb) AS rows(value)",
        };
        AssertSqlSafe(format!(
            "INSERT INTO {} ({}) SELECT {} FROM {source}",
            self.name,
            names.join(", "),
            values.join(", ")
        ))
    }
}

impl Table {
    /// Returns a SELECT of all columns; `rest` filters and orders the rows.
    pub(crate) fn select(&self, rest: &'static str) -> AssertSqlSafe<String> {
        let names: Vec<&str> = self.columns.iter().map(|(name, _)| *name).collect();
        AssertSqlSafe(format!("SELECT {} FROM {} {rest}", names.join(", "), self.name))
    }

    /// Returns a statement that inserts the rows of `$1` whose `key` does not exist yet and returns
    /// their keys. Without `WHERE`, SQLite would parse `ON` as part of a join.
    pub(crate) fn insert_new(&self, engine: Engine, key: &str) -> AssertSqlSafe<String> {
        let AssertSqlSafe(insert) = self.insert(engine);
        AssertSqlSafe(format!("{insert} WHERE true ON CONFLICT ({key}) DO NOTHING RETURNING {key}"))
    }
}

impl Table {
    /// Returns an INSERT for PostgreSQL that takes one array for each column, starting with the
    /// parameter after `bound`. The arrays are sent in binary form, so the server parses nothing.
    pub(crate) fn insert_arrays(&self, bound: &mut usize) -> String {
        let names: Vec<&str> = self.columns.iter().map(|(name, _)| *name).collect();
        let arrays: Vec<String> = self
            .columns
            .iter()
            .map(|(_, kind)| {
                *bound += 1;
                format!("${bound}::{}[]", postgres_type(*kind))
            })
            .collect();
        let (names, arrays) = (names.join(", "), arrays.join(", "));
        format!("INSERT INTO {} ({names}) SELECT * FROM unnest({arrays})", self.name)
    }
}

fn postgres_type(kind: ColumnType) -> &'static str {
    match kind {
        ColumnType::Text => "text",
        ColumnType::Int => "bigint",
        ColumnType::Bool => "boolean",
        ColumnType::Real => "double precision",
        ColumnType::Bytes => "bytea",
    }
}

/// The type of a field that is stored in a column.
pub(crate) trait Column {
    const TYPE: ColumnType;
    /// The element type of the array that PostgreSQL takes.
    type Bound<'a>
    where
        Self: 'a;

    fn bound(&self) -> Self::Bound<'_>;
}

macro_rules! columns {
    ($($field:ty => $column:ident, $bound:ty, |$column_value:ident| $value:expr;)*) => {
        $(impl Column for $field {
            const TYPE: ColumnType = ColumnType::$column;
            type Bound<'a> = $bound;

            fn bound(&self) -> Self::Bound<'_> {
                let $column_value = self;
                $value
            }
        })*
    };
}
columns! {
    String => Text, &'a str, |value| value.as_str();
    &'static str => Text, &'a str, |value| value;
    i64 => Int, i64, |value| *value;
    u32 => Int, i64, |value| i64::from(*value);
    bool => Bool, bool, |value| *value;
}

impl<T: Column> Column for Option<T> {
    const TYPE: ColumnType = T::TYPE;
    type Bound<'a>
        = Option<T::Bound<'a>>
    where
        Self: 'a;

    fn bound(&self) -> Self::Bound<'_> {
        self.as_ref().map(T::bound)
    }
}

/// A struct whose fields are the columns of a table.
pub(crate) trait Row: Sized {
    const TABLE: &'static Table;

    /// Binds an array for each column, for [`Table::insert_arrays`].
    fn bind(rows: &[Self], arguments: &mut PgArguments) -> Result<(), BoxDynError>;
}

/// Declares a table together with the struct of its rows, so that its columns are declared once.
/// The fields, in their order, are the columns of [`Table`] and the values of the JSON array that
/// [`Table::insert`] unpacks.
macro_rules! table {
    (
        $(#[$meta:meta])*
        struct $row:ident in $name:literal as $table:ident { $($column:ident: $type:ty),* $(,)? }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone)]
        pub(crate) struct $row { $(pub(crate) $column: $type),* }

        pub(crate) const $table: $crate::db::batch::Table = $crate::db::batch::Table {
            name: $name,
            columns: &[
                $((stringify!($column), <$type as $crate::db::batch::Column>::TYPE)),*
            ],
        };

        impl serde::Serialize for $row {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeTuple as _;
                let mut values = serializer.serialize_tuple($table.columns.len())?;
                $(values.serialize_element(&self.$column)?;)*
                values.end()
            }
        }

        impl $crate::db::batch::Row for $row {
            const TABLE: &'static $crate::db::batch::Table = &$table;

            fn bind(
                rows: &[Self],
                arguments: &mut sqlx::postgres::PgArguments,
            ) -> Result<(), sqlx::error::BoxDynError> {
                use sqlx::Arguments as _;
                $({
                    let values = rows.iter().map(|row| $crate::db::batch::Column::bound(&row.$column));
                    arguments.add(values.collect::<Vec<_>>())?;
                })*
                Ok(())
            }
        }
    };
}
pub(crate) use table;

fn value(engine: Engine, i: usize, kind: ColumnType) -> String {
    match (engine, kind) {
        (Engine::Sqlite, ColumnType::Bytes) => format!("unhex(value ->> {i})"),
        (Engine::Sqlite, _) => format!("value ->> {i}"),
        (Engine::Postgres, ColumnType::Text) => format!("value ->> {i}"),
        (Engine::Postgres, ColumnType::Int) => format!("(value ->> {i})::bigint"),
        (Engine::Postgres, ColumnType::Real) => format!("(value ->> {i})::double precision"),
        (Engine::Postgres, ColumnType::Bool) => format!("(value ->> {i})::boolean"),
        (Engine::Postgres, ColumnType::Bytes) => format!("decode(value ->> {i}, 'hex')"),
    }
}

/// Replaces `{wanted}` with a source of the rows in the JSON array `$1`, named `wanted`. The values
/// of a row are `wanted.value ->> 0` and so on, which are texts on PostgreSQL.
pub(crate) fn over_rows(engine: Engine, sql: &'static str) -> AssertSqlSafe<String> {
    AssertSqlSafe(sql.replace(
        "{wanted}",
        match engine {
            Engine::Sqlite => "jsonb_each($1) AS wanted",
            Engine::Postgres => "jsonb_array_elements($1::jsonb) AS wanted(value)",
        },
    ))
}

/// Like [`over_rows`], for joins with a large table. The planner of PostgreSQL estimates 100 rows
/// from `jsonb_array_elements` and would scan a table of ten thousand rows to find them. The
/// condition on `jsonb_typeof` lowers the estimate to one row in two hundred, so it uses the index.
pub(crate) fn over_few_rows(engine: Engine, sql: &'static str) -> AssertSqlSafe<String> {
    match engine {
        Engine::Sqlite => over_rows(engine, sql),
        Engine::Postgres => AssertSqlSafe(sql.replace(
            "{wanted}",
            "(SELECT value FROM jsonb_array_elements($1::jsonb) AS rows(value)
                WHERE jsonb_typeof(value) = 'array') AS wanted",
        )),
    }
}

/// Returns a statement that returns the rows of `sql` as one text: a JSON array of arrays with
/// these columns. The driver decodes each value of each row separately, which costs more than
/// reading the row.
pub(crate) fn as_json(engine: Engine, columns: &str, sql: &str) -> AssertSqlSafe<String> {
    AssertSqlSafe(match engine {
        Engine::Sqlite => {
            format!("SELECT json_group_array(json_array({columns})) FROM ({sql}) AS selected")
        }
        Engine::Postgres => format!(
            "SELECT coalesce(json_agg(json_build_array({columns})), '[]')::text FROM ({sql}) AS selected"
        ),
    })
}

/// Serializes rows as JSON. They consist of strings, numbers and booleans only, so serialization
/// cannot fail.
pub(crate) fn json<T: serde::Serialize>(rows: &[T]) -> String {
    serde_json::to_string(rows).unwrap_or_default()
}

/// Appends the bytes as a JSON text of hex, which `ColumnType::Bytes` unpacks.
pub(crate) fn push_hex(text: &mut String, bytes: &[u8]) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    text.push('"');
    for byte in bytes {
        text.push(char::from(DIGITS[usize::from(byte >> 4)]));
        text.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    text.push('"');
}
