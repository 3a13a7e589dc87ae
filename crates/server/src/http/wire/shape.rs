//! Checks the shape of a body against the API document's schema of its type, and reports every
//! error at once. A null member counts as absent, and a string that must not be empty has a visible character.

use musette_core::instant::Instant;
use musette_core::terms::is_sha256;
use musette_core::typed_text::is_blank;
use serde::de::DeserializeOwned;
use serde_json::Value;
use utoipa::ToSchema;

use super::json::Json;
use super::problem::{Problem, ProblemError};

/// A body that is checked against its documented schema.
pub trait Shaped: ToSchema + DeserializeOwned + 'static {
    fn shape() -> &'static Shape;
}

macro_rules! shaped {
    ($($body:ty),+ $(,)?) => {$(
        impl $crate::http::wire::shape::Shaped for $body {
            fn shape() -> &'static $crate::http::wire::shape::Shape {
                static SHAPE: std::sync::LazyLock<$crate::http::wire::shape::Shape> =
                    std::sync::LazyLock::new($crate::http::wire::shape::Shape::of::<$body>);
                &SHAPE
            }
        }
    )+};
}
pub(crate) use shaped;

/// Reads a body from parsed JSON, or returns 422 `invalid_request` with every error.
pub fn read<T: Shaped>(json: &Json<'_>) -> Result<T, Problem> {
    T::shape().check(json)?;
    T::deserialize(json).map_err(|error| {
        Problem::invalid("invalid_request", format!("The body is invalid: {error}."), Vec::new())
    })
}

const SHA256: &str = "^[0-9a-f]{64}$";
/// The pattern of a timestamp whose text is stored: RFC 3339 with a `T`.
pub const NO_SPACE: &str = "^[^ ]+$";

pub struct Shape(Node);

enum Node {
    Object(Vec<Member>),
    Array { item: Box<Node>, items: Bounds },
    Text { chars: Bounds, values: Vec<String>, form: Form },
    Integer(Bounds),
    Boolean,
    Any,
}

struct Member {
    name: String,
    node: Node,
    is_required: bool,
}

#[derive(Clone, Copy)]
enum Form {
    Any,
    Instant,
    StrictInstant,
    Sha256,
}

struct Bounds {
    least: Option<i64>,
    most: Option<i64>,
}

impl Bounds {
    fn of(schema: &Value, least: &str, most: &str) -> Self {
        Self { least: schema[least].as_i64(), most: schema[most].as_i64() }
    }

    fn has(&self, count: i64) -> bool {
        self.least.is_none_or(|least| count >= least) && self.most.is_none_or(|most| count <= most)
    }

    /// Whether a string of these lengths must have a visible character.
    fn refuses_blanks(&self) -> bool {
        self.least.is_some_and(|least| least > 0)
    }

    fn describe(&self, quantity: &str) -> String {
        match (self.least, self.most) {
            (Some(least), Some(most)) => format!("{quantity} from {least} to {most}"),
            (Some(least), None) => format!("{quantity} of at least {least}"),
            (None, Some(most)) => format!("{quantity} of at most {most}"),
            (None, None) => quantity.to_owned(),
        }
    }
}

impl Shape {
    pub fn of<T: ToSchema>() -> Self {
        let mut components = Vec::new();
        T::schemas(&mut components);
        let components: Vec<(String, Value)> =
            components.into_iter().map(|(name, schema)| (name, value(schema))).collect();
        Self(Node::of(&value(T::schema()), &components))
    }

    fn check(&self, json: &Json<'_>) -> Result<(), Problem> {
        let mut errors = ProblemErrors::default();
        if matches!((&self.0, json), (Node::Object(_), Json::Object(_)) | (Node::Array { .. }, _)) {
            self.0.check(Some(json), &mut String::new(), &mut errors);
        } else {
            errors.add("", "must be an object".to_owned());
        }
        if errors.0.is_empty() {
            return Ok(());
        }
        let detail = "The body does not have the right shape.";
        Err(Problem::invalid("invalid_request", detail, errors.0))
    }
}

fn value(schema: impl serde::Serialize) -> Value {
    serde_json::to_value(schema).unwrap_or_default()
}

impl Node {
    fn of(schema: &Value, components: &[(String, Value)]) -> Self {
        if let Some(name) =
            schema["$ref"].as_str().and_then(|reference| reference.rsplit('/').next())
        {
            let component = components.iter().find(|(component, _)| component == name);
            return component.map_or(Self::Any, |(_, schema)| Self::of(schema, components));
        }
        // A "reference or null": null counts as absent.
        if let Some(choices) = schema["oneOf"].as_array() {
            let schema = choices.iter().find(|choice| choice["type"] != "null");
            return schema.map_or(Self::Any, |schema| Self::of(schema, components));
        }
        let kind = match &schema["type"] {
            Value::Array(several) => several.iter().find(|kind| *kind != "null"),
            one => Some(one),
        };
        match kind.and_then(Value::as_str) {
            Some("object") => Self::object(schema, components),
            Some("array") => Self::Array {
                item: Box::new(Self::of(&schema["items"], components)),
                items: Bounds::of(schema, "minItems", "maxItems"),
            },
            Some("string") => Self::text(schema),
            Some("integer") => Self::Integer(Bounds::of(schema, "minimum", "maximum")),
            Some("boolean") => Self::Boolean,
            _ => Self::Any,
        }
    }

    fn object(schema: &Value, components: &[(String, Value)]) -> Self {
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let properties = schema["properties"].as_object().into_iter().flatten();
        let member = |(name, schema): (&String, &Value)| Member {
            name: name.clone(),
            node: Self::of(schema, components),
            is_required: required.contains(&name.as_str()),
        };
        let mut members: Vec<Member> = properties.map(member).collect();
        // The required members in the order of the struct, because the properties are sorted by
        // name.
        let place = |name: &str| required.iter().position(|member| *member == name);
        members.sort_by_key(|member| place(&member.name).unwrap_or(usize::MAX));
        Self::Object(members)
    }

    fn text(schema: &Value) -> Self {
        let values = schema["enum"].as_array().into_iter().flatten();
        let form = match (schema["format"].as_str(), schema["pattern"].as_str()) {
            (Some("date-time"), Some(NO_SPACE)) => Form::StrictInstant,
            (Some("date-time"), _) => Form::Instant,
            (_, Some(SHA256)) => Form::Sha256,
            _ => Form::Any,
        };
        Self::Text {
            chars: Bounds::of(schema, "minLength", "maxLength"),
            values: values.filter_map(Value::as_str).map(str::to_owned).collect(),
            form,
        }
    }

    /// Checks a value. `at` is its pointer, which has the same value again when this returns.
    fn check(&self, json: Option<&Json<'_>>, at: &mut String, errors: &mut ProblemErrors) {
        match (self, json) {
            // A missing object lacks its required members.
            (Self::Object(members), _) => {
                for Member { name, node, is_required } in members {
                    let value = json.and_then(|json| json.get(name));
                    if value.is_some() || *is_required {
                        let length = at.len();
                        at.push('/');
                        at.push_str(name);
                        node.check(value, at, errors);
                        at.truncate(length);
                    }
                }
            }
            (Self::Array { item, items }, Some(Json::Array(values)))
                if items.has(i64::try_from(values.len()).unwrap_or(i64::MAX)) =>
            {
                for (place, value) in values.iter().enumerate() {
                    let length = at.len();
                    at.push('/');
                    at.push_str(&place.to_string());
                    item.check(Some(value), at, errors);
                    at.truncate(length);
                }
            }
            (Self::Text { chars, values, form }, Some(Json::Text(text)))
                if fits(text, chars, values, *form) => {}
            (Self::Integer(bounds), Some(Json::Int(number))) if bounds.has(*number) => {}
            (Self::Boolean, Some(Json::Bool(_))) | (Self::Any, _) => {}
            _ => errors.add(at, self.requirement()),
        }
    }

    /// Describes the expected value.
    fn requirement(&self) -> String {
        match self {
            Self::Object(_) => "must be an object".to_owned(),
            Self::Array { items, .. } => items.describe("must be a list with a number of items"),
            Self::Text { values, .. } if !values.is_empty() => {
                format!("must be {}", values.join(" or "))
            }
            Self::Text { form: Form::Instant | Form::StrictInstant, .. } => {
                "must be an RFC 3339 date and time with an offset".to_owned()
            }
            Self::Text { form: Form::Sha256, .. } => "must be 64 lower-case hex digits".to_owned(),
            Self::Text { chars, .. } => {
                let described = chars.describe("must be a string with a number of characters");
                let rest = if chars.refuses_blanks() { ", and not blank" } else { "" };
                described + rest
            }
            Self::Integer(bounds) => bounds.describe("must be an integer"),
            Self::Boolean => "must be true or false".to_owned(),
            Self::Any => String::new(),
        }
    }
}

/// Returns whether a string fits its schema. PostgreSQL cannot store U+0000 in text.
fn fits(text: &str, chars: &Bounds, values: &[String], form: Form) -> bool {
    let count = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
    chars.has(count)
        && !(chars.refuses_blanks() && is_blank(text))
        && !text.contains('\0')
        && (values.is_empty() || values.iter().any(|value| value == text))
        && match form {
            Form::Any => true,
            Form::Instant => Instant::parse(text).is_ok(),
            Form::StrictInstant => Instant::parse_strict(text).is_ok(),
            Form::Sha256 => is_sha256(text),
        }
}

#[derive(Default)]
struct ProblemErrors(Vec<ProblemError>);

impl ProblemErrors {
    fn add(&mut self, pointer: &str, detail: String) {
        self.0.push(ProblemError {
            pointer: pointer.to_owned(),
            code: "invalid_request".into(),
            detail,
            replaced_by: None,
            page: None,
        });
    }
}
