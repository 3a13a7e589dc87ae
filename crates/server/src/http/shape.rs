//! The shape of a body: what the API document says of its type is what is checked, and every fault is
//! told at once. A member that is null is as good as absent.

use musette_core::instant::Instant;
use musette_core::terms::is_sha256;
use serde::de::DeserializeOwned;
use serde_json::Value;
use utoipa::ToSchema;

use super::json::Json;
use super::problem::{Fault, Problem};

/// A body that is read as it is documented.
pub trait Shaped: ToSchema + DeserializeOwned + 'static {
    fn shape() -> &'static Shape;
}

macro_rules! shaped {
    ($($body:ty),+ $(,)?) => {$(
        impl $crate::http::shape::Shaped for $body {
            fn shape() -> &'static $crate::http::shape::Shape {
                static SHAPE: std::sync::LazyLock<$crate::http::shape::Shape> =
                    std::sync::LazyLock::new($crate::http::shape::Shape::of::<$body>);
                &SHAPE
            }
        }
    )+};
}
pub(crate) use shaped;

/// Reads a body whose JSON was parsed: 422 `invalid_request` with every fault.
pub fn read<T: Shaped>(json: &Json<'_>) -> Result<T, Problem> {
    T::shape().check(json)?;
    T::deserialize(json).map_err(|error| {
        Problem::invalid("invalid_request", format!("The body: {error}."), Vec::new())
    })
}

const SHA256: &str = "^[0-9a-f]{64}$";
/// The pattern of an instant whose text is kept: RFC 3339 with a `T`.
pub const NO_SPACE: &str = "^[^ ]+$";

pub struct Shape(Node);

enum Node {
    Object(Vec<Member>),
    Array { item: Box<Node>, items: Bounds },
    Text { chars: Bounds, words: Vec<String>, form: Form },
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

    fn words(&self, what: &str) -> String {
        match (self.least, self.most) {
            (Some(least), Some(most)) => format!("{what} from {least} to {most}"),
            (Some(least), None) => format!("{what} from {least}"),
            (None, Some(most)) => format!("{what} up to {most}"),
            (None, None) => what.to_owned(),
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
        let mut faults = Faults::default();
        if matches!((&self.0, json), (Node::Object(_), Json::Object(_)) | (Node::Array { .. }, _)) {
            self.0.check(Some(json), &mut String::new(), &mut faults);
        } else {
            faults.add("", "an object".to_owned());
        }
        if faults.0.is_empty() {
            return Ok(());
        }
        let detail = "The body does not have the right shape.";
        Err(Problem::invalid("invalid_request", detail, faults.0))
    }
}

fn value(schema: impl serde::Serialize) -> Value {
    serde_json::to_value(schema).unwrap_or_default()
}

impl Node {
    fn of(schema: &Value, components: &[(String, Value)]) -> Self {
        if let Some(name) = schema["$ref"].as_str().and_then(|it| it.rsplit('/').next()) {
            let found = components.iter().find(|(component, _)| component == name);
            return found.map_or(Self::Any, |(_, schema)| Self::of(schema, components));
        }
        // "This or null": null is as good as absent.
        if let Some(choices) = schema["oneOf"].as_array() {
            let this = choices.iter().find(|it| it["type"] != "null");
            return this.map_or(Self::Any, |this| Self::of(this, components));
        }
        let kind = match &schema["type"] {
            Value::Array(several) => several.iter().find(|it| *it != "null"),
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
        // The required ones in the order of the struct, for properties are sorted by name.
        let place = |name: &str| required.iter().position(|it| *it == name);
        members.sort_by_key(|member| place(&member.name).unwrap_or(usize::MAX));
        Self::Object(members)
    }

    fn text(schema: &Value) -> Self {
        let words = schema["enum"].as_array().into_iter().flatten();
        let form = match (schema["format"].as_str(), schema["pattern"].as_str()) {
            (Some("date-time"), Some(NO_SPACE)) => Form::StrictInstant,
            (Some("date-time"), _) => Form::Instant,
            (_, Some(SHA256)) => Form::Sha256,
            _ => Form::Any,
        };
        Self::Text {
            chars: Bounds::of(schema, "minLength", "maxLength"),
            words: words.filter_map(Value::as_str).map(str::to_owned).collect(),
            form,
        }
    }

    /// `at` is the pointer of the value; it is as it was when this returns.
    fn check(&self, json: Option<&Json<'_>>, at: &mut String, faults: &mut Faults) {
        match (self, json) {
            // One that is missing lacks what is required in it.
            (Self::Object(members), _) => {
                for Member { name, node, is_required } in members {
                    let found = json.and_then(|json| json.get(name));
                    if found.is_some() || *is_required {
                        let length = at.len();
                        at.push('/');
                        at.push_str(name);
                        node.check(found, at, faults);
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
                    item.check(Some(value), at, faults);
                    at.truncate(length);
                }
            }
            (Self::Text { chars, words, form }, Some(Json::Text(text)))
                if fits(text, chars, words, *form) => {}
            (Self::Integer(bounds), Some(Json::Int(number))) if bounds.has(*number) => {}
            (Self::Boolean, Some(Json::Bool(_))) | (Self::Any, _) => {}
            _ => faults.add(at, self.words()),
        }
    }

    /// What is expected.
    fn words(&self) -> String {
        match self {
            Self::Object(_) => "an object".to_owned(),
            Self::Array { items, .. } => items.words("a list of entries, their number"),
            Self::Text { words, .. } if !words.is_empty() => words.join(" or "),
            Self::Text { form: Form::Instant | Form::StrictInstant, .. } => {
                "an RFC 3339 date and time with an offset".to_owned()
            }
            Self::Text { form: Form::Sha256, .. } => "64 lower-case hex digits".to_owned(),
            Self::Text { chars, .. } => chars.words("a text, its characters"),
            Self::Integer(bounds) => bounds.words("a whole number"),
            Self::Boolean => "true or false".to_owned(),
            Self::Any => String::new(),
        }
    }
}

/// PostgreSQL keeps no text with U+0000 in it, and no honest client sends one.
fn fits(text: &str, chars: &Bounds, words: &[String], form: Form) -> bool {
    let count = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
    chars.has(count)
        && !text.contains('\0')
        && (words.is_empty() || words.iter().any(|word| word == text))
        && match form {
            Form::Any => true,
            Form::Instant => Instant::parse(text).is_ok(),
            Form::StrictInstant => Instant::parse_strict(text).is_ok(),
            Form::Sha256 => is_sha256(text),
        }
}

#[derive(Default)]
struct Faults(Vec<Fault>);

impl Faults {
    fn add(&mut self, pointer: &str, detail: String) {
        self.0.push(Fault {
            pointer: pointer.to_owned(),
            code: "invalid_request".into(),
            detail,
            replaced_by: None,
            page: None,
        });
    }
}
