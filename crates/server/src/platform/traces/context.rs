//! The header `traceparent` of W3C Trace Context.

use axum::http::HeaderMap;
use opentelemetry::trace::{SpanContext, SpanId, TraceFlags, TraceId, TraceState};

/// The name of the header.
pub const HEADER: &str = "traceparent";
/// `00-`, 32 digits, `-`, 16 digits, `-`, 2 digits.
const CHARACTERS: usize = 55;

/// Reads the header. None if it is missing, occurs more than once, or is malformed.
pub fn of_headers(headers: &HeaderMap) -> Option<SpanContext> {
    let mut values = headers.get_all(HEADER).iter();
    let text = values.next()?.to_str().ok()?;
    if values.next().is_some() { None } else { parse(text) }
}

/// Parses a value. A later version than 00 may append more fields after a dash; the known fields
/// keep their positions.
pub fn parse(text: &str) -> Option<SpanContext> {
    let (fields, more) = text.split_at_checked(CHARACTERS)?;
    let mut parts = fields.split('-');
    let (version, trace) = (digits(parts.next()?, 2)?, digits(parts.next()?, 32)?);
    let (span, flags) = (digits(parts.next()?, 16)?, digits(parts.next()?, 2)?);
    let is_as_long =
        if version == "00" { more.is_empty() } else { more.is_empty() || more.starts_with('-') };
    if version == "ff" || !is_as_long || parts.next().is_some() {
        return None;
    }
    let context = SpanContext::new(
        TraceId::from_hex(trace).ok()?,
        SpanId::from_hex(span).ok()?,
        TraceFlags::new(u8::from_str_radix(flags, 16).ok()? & TraceFlags::SAMPLED.to_u8()),
        true,
        TraceState::NONE,
    );
    context.is_valid().then_some(context)
}

fn digits(text: &str, count: usize) -> Option<&str> {
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    (text.len() == count && text.bytes().all(is_digit)).then_some(text)
}

/// Formats the value of `traceparent` for an outgoing request (W3C Trace Context).
pub fn text(context: &SpanContext) -> String {
    let (trace, span) = (context.trace_id(), context.span_id());
    format!("00-{trace}-{span}-{:02x}", context.trace_flags() & TraceFlags::SAMPLED)
}

#[cfg(test)]
mod tests {
    use super::{parse, text};

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

    #[test]
    fn accepts_exactly_what_the_standard_allows() {
        let good = format!("00-{TRACE}-00f067aa0ba902b7-01");
        assert_eq!(parse(&good).map(|context| text(&context)), Some(good.clone()));
        let unsampled = parse(&format!("00-{TRACE}-00f067aa0ba902b7-00")).expect("a context");
        assert!(!unsampled.is_sampled());
        let later =
            parse(&format!("cc-{TRACE}-00f067aa0ba902b7-01-what-comes")).expect("a context");
        assert_eq!(text(&later), good);
        for bad in [
            String::new(),
            format!("{good}-more"),
            format!("ff-{TRACE}-00f067aa0ba902b7-01"),
            format!("cc-{TRACE}-00f067aa0ba902b7-01.what"),
            format!("00-{}-00f067aa0ba902b7-01", TRACE.to_uppercase()),
            format!("00-{}-00f067aa0ba902b7-01", "0".repeat(32)),
            format!("00-{TRACE}-0000000000000000-01"),
            format!("00-{TRACE}-00f067aa0ba902b7-0g"),
            format!("00-{TRACE}00f067aa0ba902b7--01"),
            "é".repeat(40),
        ] {
            assert_eq!(parse(&bad), None, "{bad}");
        }
    }
}
