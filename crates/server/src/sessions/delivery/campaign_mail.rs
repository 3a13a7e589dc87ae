//! E-mails of campaigns. An attempt that is repeated sends the same bytes: the date is that of the
//! first attempt, and the boundary comes from the id.

use std::time::{Duration, SystemTime};

use lettre::message::header::{ContentType, Header, HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart, MultiPartKind, SinglePart};
use lettre::transport::smtp::Error;
use lettre::{AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor};
use musette_core::campaigns::{Attempt, enhanced_status};
use musette_core::instant::Instant;
use musette_store::ComposedText;

/// The time limit of each reply of the mail server.
pub const TIMEOUT: Duration = Duration::from_secs(10);
/// Replies about the account of this server, which say nothing about the recipient (RFC 4954).
const ABOUT_SENDER: [&str; 4] = ["530", "534", "535", "538"];

/// An e-mail of a campaign.
pub struct CampaignMail<'a> {
    /// The id of the message, which is the first part of its `Message-ID`.
    pub id: &'a str,
    pub to: &'a str,
    pub text: &'a ComposedText,
    /// The page of the term. It is a link in the HTML.
    pub link: &'a str,
    /// The time of the first attempt.
    pub sent_at: Instant,
    /// The address for unsubscribing. None for terms that are not optional.
    pub unsubscribe: Option<String>,
    /// The address of the company's logo.
    pub logo: Option<String>,
}

macro_rules! headers {
    ($($(#[doc = $doc:literal])+ $header:ident = $name:literal;)+) => {$(
        $(#[doc = $doc])+
        #[derive(Clone)]
        struct $header(String);

        impl Header for $header {
            fn name() -> HeaderName {
                HeaderName::new_from_ascii_str($name)
            }

            fn parse(text: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
                Ok(Self(text.to_owned()))
            }

            fn display(&self) -> HeaderValue {
                HeaderValue::new(Self::name(), self.0.clone())
            }
        }
    )+};
}
headers! {
    /// RFC 2369.
    ListUnsubscribe = "List-Unsubscribe";
    /// RFC 8058.
    ListUnsubscribePost = "List-Unsubscribe-Post";
    /// RFC 3834: an absence note is not sent in reply.
    AutoSubmitted = "Auto-Submitted";
}

/// Returns the domain of `Message-ID`s: that of the sender.
fn domain(sender: &Mailbox) -> &str {
    sender.email.domain()
}

/// Returns the `Message-ID` of a message without its brackets.
pub fn message_id(id: &str, sender: &Mailbox) -> String {
    format!("{id}@{}", domain(sender))
}

/// Returns the message, or why it cannot be written.
fn build(
    mail: &CampaignMail<'_>,
    sender: &Mailbox,
    company: Option<&str>,
) -> Result<Message, String> {
    let to = mail.to.parse().map_err(|_| "the e-mail address is malformed")?;
    let date = u64::try_from(mail.sent_at.seconds()).unwrap_or(0);
    let parts = MultiPart::builder()
        .kind(MultiPartKind::Alternative)
        .boundary(format!("=_{}", mail.id))
        .singlepart(
            SinglePart::builder().header(ContentType::TEXT_PLAIN).body(mail.text.body.clone()),
        )
        .singlepart(SinglePart::builder().header(ContentType::TEXT_HTML).body(html(mail, company)));
    let mut builder = Message::builder()
        .from(sender.clone())
        .to(Mailbox::new(None, to))
        .date(SystemTime::UNIX_EPOCH + Duration::from_secs(date))
        .message_id(Some(format!("<{}>", message_id(mail.id, sender))))
        .subject(mail.text.subject.clone())
        .header(AutoSubmitted("auto-generated".to_owned()));
    if let Some(url) = &mail.unsubscribe {
        builder = builder
            .header(ListUnsubscribe(format!("<{url}>")))
            .header(ListUnsubscribePost("List-Unsubscribe=One-Click".to_owned()));
    }
    builder.multipart(parts).map_err(|error| error.to_string())
}

/// Escapes a text for HTML.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}

/// A client without dark mode ignores the last rules. A logo is made for a light background.
const STYLES: &str = ":root{color-scheme:light dark;supported-color-schemes:light dark}body{margin:0;padding:24px;background:#fff;color:#1a2233;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}main{display:block;max-width:36em;margin:0 auto}p{margin:0 0 1em;overflow-wrap:anywhere}a{color:#0b57d0}.company{padding-bottom:1em;border-bottom:1px solid #d5dae3;font-weight:600}.company img{margin-inline-end:12px;padding:4px;border-radius:4px;background:#fff;vertical-align:middle}@media (prefers-color-scheme:dark){body{background:#12161f;color:#e8ecf4}a{color:#9cc1ff}.company{border-color:#3a4356}}";

/// The languages of the product that are written from right to left, by RFC 4647 their first subtag.
fn direction(locale: &str) -> &'static str {
    let language = locale.split(['-', '_']).next().unwrap_or_default();
    if ["ar", "fa", "he", "ur"].contains(&language) { "rtl" } else { "ltr" }
}

/// Returns the HTML: each paragraph of the body, and the link as a link. All other text is escaped.
/// The direction is that of the text's language: a name in another script does not turn a line.
fn html(mail: &CampaignMail<'_>, company: Option<&str>) -> String {
    let link = escaped(mail.link);
    let anchor = format!("<a href=\"{link}\" dir=\"ltr\">{link}</a>");
    let body = mail.text.body.replace("\r\n", "\n");
    let paragraph = |text: &str| {
        let lines = escaped(text.trim()).replace(&link, &anchor).replace('\n', "<br>");
        format!("<p>{lines}</p>")
    };
    let paragraphs: String =
        body.split("\n\n").filter(|text| !text.trim().is_empty()).map(paragraph).collect();
    let locale = escaped(&mail.text.locale);
    let direction = direction(&mail.text.locale);
    let subject = escaped(&mail.text.subject);
    let head = head(mail, company);
    format!(
        "<!doctype html><html lang=\"{locale}\" dir=\"{direction}\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><meta name=\"color-scheme\" content=\"light dark\"><meta name=\"supported-color-schemes\" content=\"light dark\"><title>{subject}</title><style>{STYLES}</style></head><body><main>{head}{paragraphs}</main></body></html>"
    )
}

/// Returns the line with the logo and the name of the company.
fn head(mail: &CampaignMail<'_>, company: Option<&str>) -> String {
    if mail.logo.is_none() && company.is_none() {
        return String::new();
    }
    let logo = mail
        .logo
        .as_deref()
        .map(|url| format!("<img src=\"{}\" alt=\"\" height=\"32\">", escaped(url)));
    let name = company.map(|name| format!("<bdi>{}</bdi>", escaped(name)));
    format!("<p class=\"company\">{}{}</p>", logo.unwrap_or_default(), name.unwrap_or_default())
}

/// Sends an e-mail once.
pub async fn send(
    transport: &AsyncSmtpTransport<Tokio1Executor>,
    mail: &CampaignMail<'_>,
    sender: &Mailbox,
    company: Option<&str>,
) -> Attempt {
    let message = match build(mail, sender, company) {
        Ok(message) => message,
        Err(error) => {
            tracing::error!(error = %error, "an e-mail of a campaign could not be written");
            return Attempt::Failed("5.6.0".to_owned());
        }
    };
    match transport.send(message).await {
        Ok(_) => Attempt::Accepted,
        Err(error) => attempt(&error),
    }
}

/// Returns the result of an attempt that failed.
fn attempt(error: &Error) -> Attempt {
    let reply = std::error::Error::source(error).map(ToString::to_string).unwrap_or_default();
    let status = |default: &str| enhanced_status(&reply).unwrap_or_else(|| default.to_owned());
    if let Some(code) = error.status() {
        let is_about_sender = ABOUT_SENDER.contains(&code.to_string().as_str());
        return match error.is_permanent() {
            true if is_about_sender => unreachable(error),
            true => Attempt::Bounced(status("5.0.0")),
            false => Attempt::Deferred(status("4.0.0")),
        };
    }
    // The library has no accessor for this kind.
    let is_unconnected = error.to_string().starts_with("Connection error");
    if is_unconnected || error.is_tls() || error.is_client() || error.is_transport_shutdown() {
        return unreachable(error);
    }
    Attempt::Unanswered
}

fn unreachable(error: &Error) -> Attempt {
    tracing::debug!(
        reason = super::reason(error),
        "the mail server takes no e-mails of campaigns: this is retried"
    );
    Attempt::Unreachable
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(subject: &str, body: &str) -> ComposedText {
        ComposedText {
            locale: "en".into(),
            subject: subject.into(),
            body: body.into(),
            sha256: String::new(),
        }
    }

    fn mail<'a>(text: &'a ComposedText, unsubscribe: Option<&str>) -> CampaignMail<'a> {
        CampaignMail {
            id: "0193b2d0-7f3a-7a61-9c1e-2f5a6b7c8d9e",
            to: "ada@larkspur.example",
            text,
            link: "https://terms.larkspur.example/terms",
            sent_at: Instant::from_millis(1_800_000_000_000),
            unsubscribe: unsubscribe.map(str::to_owned),
            logo: None,
        }
    }

    fn written(mail: &CampaignMail<'_>) -> String {
        let sender = "Larkspur <terms@larkspur.example>".parse().expect("a mailbox");
        let message = build(mail, &sender, Some("Larkspur")).expect("a message");
        String::from_utf8(message.formatted()).expect("a text")
    }

    #[test]
    fn writes_the_same_bytes_again() {
        let text = text("Terms", "Dear Ada,\n\nread https://terms.larkspur.example/terms\n");
        let first = written(&mail(&text, Some("https://a.example/unsubscribe/x")));
        std::thread::sleep(Duration::from_millis(5));
        assert_eq!(written(&mail(&text, Some("https://a.example/unsubscribe/x"))), first);
        for part in [
            "Message-ID: <0193b2d0-7f3a-7a61-9c1e-2f5a6b7c8d9e@larkspur.example>\r\n",
            "From: Larkspur <terms@larkspur.example>\r\n",
            "To: ada@larkspur.example\r\n",
            "Subject: Terms\r\n",
            "Content-Type: multipart/alternative;",
            "Content-Type: text/plain; charset=utf-8",
            "Content-Type: text/html; charset=utf-8",
            "List-Unsubscribe: <https://a.example/unsubscribe/x>\r\n",
            "List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n",
        ] {
            assert!(first.contains(part), "{part}: {first}");
        }
        assert!(!written(&mail(&text, None)).contains("List-Unsubscribe"));
    }

    #[test]
    fn cannot_be_given_further_headers() {
        let text = text("Terms\r\nBcc: all@larkspur.example", "a");
        let message = written(&mail(&text, None));
        let (head, _) = message.split_once("\r\n\r\n").expect("a body");
        assert!(!head.lines().any(|line| line.starts_with("Bcc")), "{head}");
    }

    #[test]
    fn escapes_texts_in_html_and_links_only_the_page_of_the_term() {
        let body =
            "<b>Eve</b> & \"co\"\n\nhttps://terms.larkspur.example/terms\nhttps://evil.example/";
        let text = text("<script>", body);
        let html = html(&mail(&text, None), Some("Larkspur & Co"));
        for part in [
            "<title>&lt;script&gt;</title>",
            "<p>&lt;b&gt;Eve&lt;/b&gt; &amp; &quot;co&quot;</p>",
            "<a href=\"https://terms.larkspur.example/terms\" dir=\"ltr\">https://terms.larkspur.example/terms</a><br>https://evil.example/</p>",
            "<p class=\"company\"><bdi>Larkspur &amp; Co</bdi></p>",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
        assert_eq!(html.matches("<a ").count(), 1);
    }

    #[test]
    fn writes_the_page_in_the_direction_of_its_language() {
        let arabic = ComposedText { locale: "ar-EG".into(), ..text("a", "b") };
        let mut mail_in_arabic = mail(&arabic, None);
        mail_in_arabic.logo = Some("https://terms.larkspur.example/\"logo".to_owned());
        let page = html(&mail_in_arabic, None);
        assert!(page.contains("<html lang=\"ar-EG\" dir=\"rtl\">"), "{page}");
        assert!(page.contains("<img src=\"https://terms.larkspur.example/&quot;logo\""), "{page}");
        let english = text("a", "b");
        let page = html(&mail(&english, None), None);
        assert!(page.contains("<html lang=\"en\" dir=\"ltr\">"), "{page}");
        assert!(!page.contains("class=\"company\""), "{page}");
    }

    #[tokio::test]
    async fn knows_that_nothing_was_sent_without_a_connection() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        drop(listener);
        let url = format!("smtp://127.0.0.1:{port}");
        let transport =
            AsyncSmtpTransport::<Tokio1Executor>::from_url(&url).expect("a URL").build();
        let sender: Mailbox = "terms@larkspur.example".parse().expect("a mailbox");
        let text = text("a", "b");
        let attempt = send(&transport, &mail(&text, None), &sender, None).await;
        assert_eq!(attempt, Attempt::Unreachable);
    }
}
