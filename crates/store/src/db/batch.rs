//! Many rows in one statement. Row by row the drivers do 5,000 a second, one statement a batch 25 to
//! 79 thousand; JSON is the one list that both engines can unpack. Both unpack it into their binary form:
//! from a text each `->>` parses the whole row again.

use sqlx::AssertSqlSafe;
use sqlx::error::BoxDynError;
use sqlx::postgres::PgArguments;

use crate::db::Engine;

/// How a value stands in the JSON and what the column makes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColumnType {
    Text,
    Int,
    Bool,
    Real,
    /// Hex in the JSON.
    Bytes,
}

/// A table with its columns, in the order in which a row's values stand in the JSON array.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) name: &'static str,
    pub(crate) columns: &'static [(&'static str, ColumnType)],
}

impl Table {
    /// `$1` is a JSON array of rows, each an array of values.
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
    /// Reads all columns; `rest` selects and orders rows.
    pub(crate) fn select(&self, rest: &'static str) -> AssertSqlSafe<String> {
        let names: Vec<&str> = self.columns.iter().map(|(name, _)| *name).collect();
        AssertSqlSafe(format!("SELECT {} FROM {} {rest}", names.join(", "), self.name))
    }

    /// Inserts the rows of `$1` whose `key` is not there yet, and returns their keys. (Without
    /// `WHERE` SQLite takes `ON` for a join.)
    pub(crate) fn insert_new(&self, engine: Engine, key: &str) -> AssertSqlSafe<String> {
        let AssertSqlSafe(insert) = self.insert(engine);
        AssertSqlSafe(format!("{insert} WHERE true ON CONFLICT ({key}) DO NOTHING RETURNING {key}"))
    }
}

impl Table {
    /// The insert of PostgreSQL that takes an array for each column, from the parameter after `bound` on. They come
    /// in binary form, and the server parses nothing.
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
    ($($field:ty => $column:ident, $bound:ty, |$it:ident| $value:expr;)*) => {
        $(impl Column for $field {
            const TYPE: ColumnType = ColumnType::$column;
            type Bound<'a> = $bound;

            fn bound(&self) -> Self::Bound<'_> {
                let $it = self;
                $value
            }
        })*
    };
}
columns! {
    String => Text, &'a str, |it| it.as_str();
    &'static str => Text, &'a str, |it| it;
    i64 => Int, i64, |it| *it;
    u32 => Int, i64, |it| i64::from(*it);
    bool => Bool, bool, |it| *it;
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

/// Declares a table together with the struct of its rows, so that its columns stand in one place: the fields,
/// in their order, are the columns of [`Table`] and the values of the JSON array that [`Table::insert`]
/// unpacks.
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

/// Puts what unpacks the JSON array of rows in `$1`, named `wanted`, in the place of `{wanted}`; the
/// values of a row are `wanted.value ->> 0` and so on, which are texts on PostgreSQL.
pub(crate) fn over_rows(engine: Engine, sql: &'static str) -> AssertSqlSafe<String> {
    AssertSqlSafe(sql.replace(
        "{wanted}",
        match engine {
            Engine::Sqlite => "jsonb_each($1) AS wanted",
            Engine::Postgres => "jsonb_array_elements($1::jsonb) AS wanted(value)",
        },
    ))
}

/// [`over_rows`] for a table of any size: PostgreSQL takes rows that are handed in for a hundred, and to find a hundred
/// it would read ten thousand. That each is an array it believes of one in two hundred, and reads by an index.
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

/// Makes one text of the rows that `sql` selects: a JSON array of arrays with these columns. A driver hands
/// over each value of each row by itself, which costs more than reading it.
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

/// The JSON of rows. They are made of strings, numbers and booleans only, which always have a JSON
/// form.
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
