//! Delivery status notifications (RFC 3464 in a `multipart/report` of RFC 6522).

/// A report has three parts; more are ignored.
const PARTS_MAX: usize = 20;

/// What a mail server reports about a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryReport {
    /// The `Message-ID` of the returned message, without its brackets.
    pub message_id: String,
    /// `failed`, `delayed`, `delivered`, `relayed` or `expanded`.
    pub action: String,
    /// The enhanced status (RFC 3463), such as `5.1.1`.
    pub status: String,
}

/// Why a message is not a usable report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ReportError {
    /// It is not a `multipart/report`.
    #[error("the message is not a multipart/report")]
    NotAReport,
    /// It has no delivery status with an action and a status.
    #[error("the report has no delivery status")]
    NoStatus,
    /// It does not have the returned message with its `Message-ID`.
    #[error("the report has no returned message with a Message-ID")]
    NoMessage,
}

impl DeliveryReport {
    /// Parses a whole message, with its header.
    ///
    /// # Errors
    /// Returns an error if it is not a report, or the report lacks a part.
    pub fn parse_message(message: &[u8]) -> Result<Self, ReportError> {
        let text = lines(message);
        let media_type = header(&text, "content-type").ok_or(ReportError::NotAReport)?;
        Self::parse(&media_type, message)
    }

    /// Parses the body of a message with this `Content-Type`. The body may follow the header of the
    /// message.
    ///
    /// # Errors
    /// Returns an error if it is not a report, or the report lacks a part.
    pub fn parse(content_type: &str, body: &[u8]) -> Result<Self, ReportError> {
        if !is_type(content_type, "multipart/report") {
            return Err(ReportError::NotAReport);
        }
        let text = lines(body);
        let boundary = parameter(content_type, "boundary")
            .or_else(|| parameter(&header(&text, "content-type")?, "boundary"))
            .ok_or(ReportError::NotAReport)?;
        let parts = parts(&text, &boundary);
        let find = |types: &[&str]| {
            parts.iter().find(|part| {
                let kind = header(part, "content-type").unwrap_or_default();
                types.iter().any(|name| is_type(&kind, name))
            })
        };
        let (action, status) = find(&["message/delivery-status", "message/global-delivery-status"])
            .and_then(|part| recipient_status(content(part)))
            .ok_or(ReportError::NoStatus)?;
        let returned = find(&[
            "message/rfc822",
            "text/rfc822-headers",
            "message/rfc822-headers",
            "message/global",
            "message/global-headers",
        ]);
        let message_id = returned
            .and_then(|part| header(content(part), "message-id"))
            .and_then(|value| bracketed(&value))
            .ok_or(ReportError::NoMessage)?;
        Ok(Self { message_id, action, status })
    }

    /// Returns whether the message was not delivered and will not be.
    pub fn is_failure(&self) -> bool {
        self.action == "failed"
    }

    /// Returns whether the failure may pass: its status is 4.x.x.
    pub fn is_temporary(&self) -> bool {
        self.status.starts_with('4')
    }
}

/// Returns the text with line feeds only.
fn lines(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).replace("\r\n", "\n")
}

/// Returns the text after the header.
fn content(part: &str) -> &str {
    if let Some(rest) = part.strip_prefix('\n') {
        return rest;
    }
    part.split_once("\n\n").map_or("", |(_, content)| content)
}

/// Returns the first field of this name in the header, without its folds.
fn header(text: &str, name: &str) -> Option<String> {
    let head = if text.starts_with('\n') { "" } else { text.split("\n\n").next()? };
    field(head, name)
}

/// Returns the first field of this name in a block of fields.
fn field(block: &str, name: &str) -> Option<String> {
    let mut fields = block.lines().peekable();
    while let Some(line) = fields.next() {
        let Some((key, value)) = line.split_once(':') else { continue };
        let mut value = value.to_owned();
        while let Some(more) = fields.next_if(|line| line.starts_with([' ', '\t'])) {
            value.push(' ');
            value.push_str(more.trim());
        }
        if key.trim_end().eq_ignore_ascii_case(name) {
            return Some(value.trim().to_owned());
        }
    }
    None
}

fn is_type(content_type: &str, name: &str) -> bool {
    content_type.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case(name)
}

/// Returns a parameter of a `Content-Type`.
fn parameter(content_type: &str, name: &str) -> Option<String> {
    content_type.split(';').skip(1).find_map(|pair| {
        let (key, value) = pair.split_once('=')?;
        let value = value.trim().trim_matches('"');
        (key.trim().eq_ignore_ascii_case(name) && !value.is_empty()).then(|| value.to_owned())
    })
}

/// Returns the parts between the lines of the boundary. What precedes the first is no part.
fn parts<'a>(text: &'a str, boundary: &str) -> Vec<&'a str> {
    let (delimiter, end) = (format!("--{boundary}"), format!("--{boundary}--"));
    let mut parts = Vec::new();
    let mut start: Option<usize> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let content = line.trim_end();
        if content == delimiter || content == end {
            parts.extend(start.map(|start| &text[start..at]));
            start = (content == delimiter).then_some(at + line.len());
        }
        at += line.len();
        if parts.len() == PARTS_MAX {
            return parts;
        }
    }
    parts.extend(start.map(|start| &text[start..]));
    parts
}

/// Returns action and status of the first recipient. The first block is about the whole message.
fn recipient_status(content: &str) -> Option<(String, String)> {
    content.split("\n\n").find_map(|block| {
        let action = field(block, "action")?.to_ascii_lowercase();
        let status = enhanced_status(&field(block, "status")?)?;
        let action = action.split_whitespace().next()?.to_owned();
        Some((action, status))
    })
}

/// Returns the enhanced status code (RFC 3463) at the beginning of a text.
pub fn enhanced_status(text: &str) -> Option<String> {
    let code = text.split_whitespace().next()?;
    let parts: Vec<&str> = code.split('.').collect();
    let is_number = |part: &str| {
        (1..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_status = parts.len() == 3
        && matches!(parts[0], "2" | "4" | "5")
        && parts.iter().all(|part| is_number(part));
    is_status.then(|| code.to_owned())
}

fn bracketed(value: &str) -> Option<String> {
    let (_, rest) = value.split_once('<')?;
    let (id, _) = rest.split_once('>')?;
    (!id.is_empty()).then(|| id.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(status: &str, returned: &str) -> String {
        format!(
            "From: postmaster@mail.example\r\nMessage-ID: <other@mail.example>\r\n\
            Content-Type: multipart/report; report-type=delivery-status;\r\n boundary=\"=_b\"\r\n\r\n\
            preamble\r\n--=_b\r\nContent-Type: text/plain\r\n\r\nMessage-ID: <text@mail.example>\r\n\
            --=_b\r\nContent-Type: message/delivery-status\r\n\r\n{status}\r\n\
            --=_b\r\n{returned}\r\n--=_b--\r\n"
        )
    }

    const STATUS: &str = "Reporting-MTA: dns; mail.example\r\n\r\nFinal-Recipient: rfc822; ada@x.example\r\nAction: Failed\r\nStatus: 5.1.1 (unknown user)\r\n";
    const RETURNED: &str = "Content-Type: message/rfc822\r\n\r\nFrom: a@x.example\r\nMessage-ID:\r\n <1@musette.example>\r\n\r\nMessage-ID: <body@x.example>\r\n";

    #[test]
    fn reads_the_identifier_from_the_returned_message() {
        let parsed = DeliveryReport::parse_message(report(STATUS, RETURNED).as_bytes());
        let expected = DeliveryReport {
            message_id: "1@musette.example".into(),
            action: "failed".into(),
            status: "5.1.1".into(),
        };
        assert_eq!(parsed, Ok(expected.clone()));
        assert!(expected.is_failure() && !expected.is_temporary());
        let headers = RETURNED.replace("message/rfc822", "text/rfc822-headers");
        let unix = report(STATUS, &headers).replace("\r\n", "\n");
        assert_eq!(DeliveryReport::parse_message(unix.as_bytes()), Ok(expected.clone()));
        // The body alone, with the media type of the request.
        let whole = report(STATUS, RETURNED);
        let (_, body) = whole.split_once("\r\n\r\n").expect("a body");
        let media_type = "multipart/report; boundary=\"=_b\"";
        assert_eq!(DeliveryReport::parse(media_type, body.as_bytes()), Ok(expected));
    }

    #[test]
    fn rejects_reports_that_lack_a_part() {
        let parse = |text: String| DeliveryReport::parse_message(text.as_bytes());
        let no_status = report("Reporting-MTA: dns; mail.example\r\n", RETURNED);
        assert_eq!(parse(no_status), Err(ReportError::NoStatus));
        let malformed = report("Action: failed\r\nStatus: 9.9\r\n", RETURNED);
        assert_eq!(parse(malformed), Err(ReportError::NoStatus));
        let no_message = report(STATUS, "Content-Type: image/png\r\n\r\nMessage-ID: <1@x>\r\n");
        assert_eq!(parse(no_message), Err(ReportError::NoMessage));
        let no_id = report(STATUS, "Content-Type: message/rfc822\r\n\r\nFrom: a@x.example\r\n");
        assert_eq!(parse(no_id), Err(ReportError::NoMessage));
        let plain = "Content-Type: text/plain\r\n\r\nhello".to_owned();
        assert_eq!(parse(plain), Err(ReportError::NotAReport));
        assert_eq!(parse(String::new()), Err(ReportError::NotAReport));
        let no_boundary = "Content-Type: multipart/report\r\n\r\nhello".to_owned();
        assert_eq!(parse(no_boundary), Err(ReportError::NotAReport));
    }

    #[test]
    fn recognizes_enhanced_status_codes() {
        assert_eq!(enhanced_status("5.7.26 rejected").as_deref(), Some("5.7.26"));
        for text in ["", "5", "5.1", "3.1.1", "5.1.1.1", "5.a.1", "5.1234.1", "5..1"] {
            assert_eq!(enhanced_status(text), None, "{text}");
        }
    }
}
