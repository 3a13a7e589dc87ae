//! Parses JSON by the rules of the API: no duplicate names, no lone surrogates, no U+0000 and at
//! most 32 levels. Also reads bodies with the right media type and size.

mod deserialize;
mod media_type;
mod meter;

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::time::Duration;

use axum::body::Body;
use axum::extract::FromRequest;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Request, StatusCode, header};
use bytes::{Bytes, BytesMut};
use futures_util::future::poll_immediate;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use hyper::body::Body as HttpBody;
use serde::de::{self, DeserializeSeed, MapAccess, SeqAccess, Visitor};

use super::arriving::TooManyUnfinished;
use super::problem::Problem;
use super::shape::{self, Shaped};
pub use media_type::is_json;
pub use meter::Bounds;
use meter::{Exceeded, Meter};

/// The maximum size of a JSON body, in bytes.
pub const BODY_BYTES_MAX: usize = 65_536;
const DEPTH_MAX: usize = 32;
/// A body up to this many times too long is read and discarded.
pub const DISCARDED_TIMES: usize = 4;
/// The time to receive a body. A slow phone needs much less for 64 KiB, and a slow-loris client
/// must not hold a connection open.
const BODY_WITHIN: Duration = Duration::from_secs(30);

/// A parsed value. Strings without escapes are borrowed.
#[derive(Debug, Clone, PartialEq)]
pub enum Json<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An integer of 64 bits.
    Int(i64),
    /// Any other number.
    Float(f64),
    /// A string without its escapes.
    Text(Cow<'a, str>),
    /// The items in order.
    Array(Vec<Json<'a>>),
    /// The members in order, with unique names.
    Object(Vec<(Cow<'a, str>, Json<'a>)>),
}

impl<'a> Json<'a> {
    /// Parses a whole body.
    ///
    /// # Errors
    ///
    /// `malformed_json` for anything that the API does not accept.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Problem> {
        Self::parse_with(bytes, Depth { left: DEPTH_MAX, takes_nul: false })
    }

    /// Parses a body whose reader checks for U+0000 itself, to report the place.
    pub fn parse_with_nul(bytes: &'a [u8]) -> Result<Self, Problem> {
        Self::parse_with(bytes, Depth { left: DEPTH_MAX, takes_nul: true })
    }

    fn parse_with(bytes: &'a [u8], depth: Depth) -> Result<Self, Problem> {
        let text = std::str::from_utf8(bytes)
            .map_err(|_| Problem::malformed_json("The body is not UTF-8."))?;
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let malformed = |error: serde_json::Error| {
            Problem::malformed_json(format!("The body is not valid JSON: {error}."))
        };
        let value = depth.deserialize(&mut deserializer).map_err(malformed)?;
        deserializer.end().map_err(malformed)?;
        Ok(value)
    }

    /// Returns the value of this name. None if it is absent or null, or this is not an object.
    pub fn get(&self, name: &str) -> Option<&Json<'a>> {
        let Json::Object(members) = self else { return None };
        members
            .iter()
            .find(|(key, value)| key == name && *value != Json::Null)
            .map(|(_, value)| value)
    }
}

#[derive(Clone, Copy)]
struct Depth {
    /// The number of further levels that may be opened.
    left: usize,
    takes_nul: bool,
}

impl Depth {
    fn deeper<E: de::Error>(self) -> Result<Self, E> {
        let remaining = self.left.checked_sub(1);
        remaining
            .map(|left| Self { left, ..self })
            .ok_or_else(|| E::custom(format!("it has more than {DEPTH_MAX} levels")))
    }

    /// Checks a string. PostgreSQL cannot store U+0000 in text.
    fn text<E: de::Error>(self, text: &str) -> Result<String, E> {
        if !self.takes_nul && text.contains('\0') {
            return Err(E::custom("a string has the character U+0000"));
        }
        Ok(text.to_owned())
    }
}

impl<'de> DeserializeSeed<'de> for Depth {
    type Value = Json<'de>;

    fn deserialize<D: de::Deserializer<'de>>(self, deserializer: D) -> Result<Json<'de>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Depth {
    type Value = Json<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json<'de>, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json<'de>, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json<'de>, E> {
        Ok(Json::Int(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json<'de>, E> {
        Ok(i64::try_from(value).map_or(Json::Float(value as f64), Json::Int))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json<'de>, E> {
        Ok(Json::Float(value))
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Json<'de>, E> {
        Ok(Json::Text(Cow::Borrowed(value)))
    }

    /// Only strings with escapes arrive here, and only they can contain U+0000.
    fn visit_str<E: de::Error>(self, value: &str) -> Result<Json<'de>, E> {
        self.text(value).map(|text| Json::Text(Cow::Owned(text)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Json<'de>, A::Error> {
        let deeper = self.deeper()?;
        let mut values = Vec::new();
        while let Some(value) = seq.next_element_seed(deeper)? {
            values.push(value);
        }
        Ok(Json::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json<'de>, A::Error> {
        let deeper = self.deeper()?;
        let mut members = Vec::new();
        let mut names = std::collections::HashSet::new();
        while let Some(name) = map.next_key_seed(Name(self))? {
            if !names.insert(name.clone()) {
                return Err(de::Error::custom("an object has a duplicate name"));
            }
            members.push((name, map.next_value_seed(deeper)?));
        }
        Ok(Json::Object(members))
    }
}

struct Name(Depth);

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Cow<'de, str>;

    fn deserialize<D: de::Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Name {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(value))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Self::Value, E> {
        self.0.text(value).map(Cow::Owned)
    }
}

/// Returns whether this part of a URL contains U+0000.
pub fn has_nul(part: &str) -> bool {
    part.contains('%') && part.contains("%00")
}

/// A JSON request with its head and body.
pub struct JsonRequest {
    pub parts: Parts,
    pub body: Bytes,
}

impl JsonRequest {
    /// Parses the body by its documented shape.
    pub fn read<T: Shaped>(&self) -> Result<T, Problem> {
        shape::read(&Json::parse(&self.body)?)
    }
}

impl<S: Sync> FromRequest<S> for JsonRequest {
    type Rejection = Problem;

    async fn from_request(request: Request<Body>, _: &S) -> Result<Self, Problem> {
        let (parts, body) = request.into_parts();
        let body = read_within(&parts.headers, body, Bounds::ORDINARY).await?;
        Ok(Self { parts, body })
    }
}

/// Reads the bytes of a JSON request: 415 for a missing or other media type, 413 for too many
/// bytes.
pub async fn read_body(request: Request<Body>) -> Result<Bytes, Problem> {
    let (parts, body) = request.into_parts();
    read_within(&parts.headers, body, Bounds::ORDINARY).await
}

/// Reads a JSON body and stops when it exceeds its bounds.
pub async fn read_within<B>(headers: &HeaderMap, body: B, bounds: Bounds) -> Result<Bytes, Problem>
where
    B: HttpBody<Data = Bytes>,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    if !is_json(headers) {
        return Err(not_json());
    }
    let declared = declared_length(headers);
    if let Some(declared) = declared.filter(|length| *length > bounds.bytes) {
        // A client that is still sending when the connection closes never reads the response.
        if declared <= bounds.bytes.saturating_mul(DISCARDED_TIMES) {
            discard(body).await;
        }
        return Err(Problem::body_too_large(bounds.bytes));
    }
    collect(body, declared.unwrap_or(bounds.bytes), bounds).await
}

/// Returns the length of the body according to the head of the request.
pub fn declared_length(headers: &HeaderMap) -> Option<usize> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Reads a body piece by piece and discards it.
pub async fn discard<B: HttpBody<Data = Bytes>>(body: B) {
    let mut body = std::pin::pin!(body);
    let all = async {
        while let Some(Ok(piece)) = body.frame().await {
            drop(piece);
        }
    };
    drop(tokio::time::timeout(BODY_WITHIN, all).await);
}

/// Reads a body of any media type. An operation without a body reads and discards it, so that the
/// connection can be reused.
pub async fn read_any<B>(body: B) -> Result<Bytes, Problem>
where
    B: HttpBody<Data = Bytes>,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    collect(body, BODY_BYTES_MAX, Bounds::ORDINARY).await
}

pub fn not_json() -> Problem {
    Problem::new(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "unsupported_media_type",
        "Send the body with Content-Type: application/json.",
    )
}

/// Collects a body. `length` is its length, or its maximum.
async fn collect<B>(body: B, length: usize, bounds: Bounds) -> Result<Bytes, Problem>
where
    B: HttpBody<Data = Bytes>,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let meter = bounds.can_exceed(length).then(|| Meter::new(bounds.values));
    let mut whole = std::pin::pin!(whole(Limited::new(body, bounds.bytes), length, meter));
    // Nearly every body arrives with its head and needs no timer.
    let result = match poll_immediate(whole.as_mut()).await {
        Some(result) => Ok(result),
        None => tokio::time::timeout(BODY_WITHIN, whole).await,
    };
    match result {
        Ok(Ok(body)) => Ok(body),
        Ok(Err(Stopped::Exceeded(Exceeded::Values))) => {
            Err(Problem::body_too_many_values(bounds.values))
        }
        Ok(Err(Stopped::Exceeded(Exceeded::Depth))) => Err(Problem::malformed_json(format!(
            "The body is not valid JSON: it has more than {DEPTH_MAX} levels."
        ))),
        Ok(Err(Stopped::Body(error))) if error.is::<LengthLimitError>() => {
            Err(Problem::body_too_large(bounds.bytes))
        }
        Ok(Err(Stopped::Body(error))) if is_too_many(&*error) => Err(Problem::rate_limited(1)),
        Ok(Err(Stopped::Body(_))) => Err(Problem::malformed_json("The body is incomplete.")),
        Err(_) => Err(Problem::malformed_json("The body did not arrive within 30 seconds.")),
    }
}

/// Returns whether a body was rejected because its address or key has too many unfinished bodies.
pub fn is_too_many(mut error: &(dyn Error + 'static)) -> bool {
    loop {
        if error.is::<TooManyUnfinished>() {
            return true;
        }
        match error.source() {
            Some(source) => error = source,
            None => return false,
        }
    }
}

/// The reason why a body was not read completely.
enum Stopped<E> {
    Body(E),
    Exceeded(Exceeded),
}

/// Reads the whole body. Nearly every body arrives in one piece, which is returned without copying.
async fn whole<B: HttpBody<Data = Bytes>>(
    body: B,
    length: usize,
    mut meter: Option<Meter>,
) -> Result<Bytes, Stopped<B::Error>> {
    let mut body = std::pin::pin!(body);
    let mut first = Bytes::new();
    let mut all = BytesMut::new();
    let mut exceeded = None;
    while let Some(frame) = body.frame().await {
        let Ok(piece) = frame.map_err(Stopped::Body)?.into_data() else { continue };
        if let Some(meter) = meter.as_mut().filter(|_| exceeded.is_none()) {
            exceeded = meter.take(&piece).err();
        }
        if exceeded.is_some() {
            // The rest is read and discarded, because a client that is still sending never reads
            // the response.
            (first, all) = (Bytes::new(), BytesMut::new());
            continue;
        }
        if first.is_empty() && all.is_empty() {
            first = piece;
            if body.is_end_stream() {
                break;
            }
            continue;
        }
        if all.is_empty() {
            // Memory is allocated when it is needed, and only once.
            all.reserve(length.max(first.len() + piece.len()));
            all.extend_from_slice(&std::mem::take(&mut first));
        }
        all.extend_from_slice(&piece);
    }
    match exceeded {
        Some(exceeded) => Err(Stopped::Exceeded(exceeded)),
        None => Ok(if all.is_empty() { first } else { all.freeze() }),
    }
}

#[cfg(test)]
mod tests {
    use super::Json;

    #[test]
    fn rejects_json_that_the_api_does_not_accept() {
        for text in [
            &b""[..],
            b" ",
            b"{",
            b"{} x",
            b"{'a':1}",
            br#"{"a":1,"a":2}"#,
            br#"{"a":{"b":1,"\u0062":2}}"#,
            br#"{"a":"\ud800"}"#,
            br#"{"a":"\udc00\ud800"}"#,
            br#"{"\ud800":1}"#,
            br#"{"a":"\u0000"}"#,
            br#"{"a":["b",{"c":"d\u0000e"}]}"#,
            br#"{"a\u0000":1}"#,
            b"{\"a\":\"\xff\"}",
            b"{\"a\":\"\n\"}",
            b"1e999",
            b"NaN",
            b"[1,]",
        ] {
            assert!(Json::parse(text).is_err(), "{}", String::from_utf8_lossy(text));
        }
    }

    #[test]
    fn accepts_32_levels_and_rejects_33() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(Json::parse(nested(32).as_bytes()).is_ok());
        assert!(Json::parse(nested(33).as_bytes()).is_err());
        assert!(Json::parse(nested(30_000).as_bytes()).is_err());
    }

    #[test]
    fn treats_null_as_absent() {
        let json = Json::parse(br#"{"a":null,"b":-1,"c":18446744073709551615,"d":1.0}"#);
        let json = json.expect("valid");
        assert_eq!(json.get("a"), None);
        assert_eq!(json.get("b"), Some(&Json::Int(-1)));
        assert!(matches!(json.get("c"), Some(Json::Float(_))));
        assert!(matches!(json.get("d"), Some(Json::Float(_))));
    }
}
