use std::time::Duration;

use lettre::message::Mailbox;
use lettre::message::header::ContentType;
use lettre::{AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor};
use musette_core::campaigns::Attempt;
use musette_core::session::Identifier;

use super::campaign_mail::{self, CampaignMail};
use super::{CodeMessage, MessageSender, Notice, Purpose, texts};

const TIMEOUT: Duration = Duration::from_secs(20);

pub struct Mailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    /// A campaign's attempt must end before its lease does.
    campaign_transport: AsyncSmtpTransport<Tokio1Executor>,
    sender: Mailbox,
    company: Option<String>,
}

/// Checks `--code-sender`.
pub fn sender(text: &str) -> Result<String, String> {
    let address: Result<Mailbox, _> = text.parse();
    address.map(|_| text.to_owned()).map_err(|_| "this is not an e-mail address".into())
}

impl Mailer {
    pub fn new(url: &str, sender: MessageSender) -> Result<Self, String> {
        let transport = |timeout| {
            let builder = AsyncSmtpTransport::<Tokio1Executor>::from_url(url);
            let builder = builder.map_err(|error| format!("--code-delivery: {error}"))?;
            Ok::<_, String>(builder.timeout(Some(timeout)).build())
        };
        let (campaign_transport, transport) =
            (transport(campaign_mail::TIMEOUT)?, transport(TIMEOUT)?);
        let MessageSender { address, company } = sender;
        let address = address.ok_or("--code-sender is required with --code-delivery smtp://…")?;
        let mut sender: Mailbox =
            address.parse().map_err(|_| "--code-sender is not an e-mail address")?;
        sender.name = sender.name.or_else(|| company.clone());
        Ok(Self { transport, campaign_transport, sender, company })
    }

    pub async fn send(&self, message: &CodeMessage) -> Result<(), String> {
        let text = texts::of(&message.languages);
        let (subject, body) = match message.purpose {
            Purpose::SignIn => (text.subject(&message.code), text.body(&message.code)),
            Purpose::Test => (text.test_subject.to_owned(), text.test_body.to_owned()),
        };
        self.send_mail(&message.identifier, subject, body).await
    }

    pub async fn notify(&self, notice: &Notice) -> Result<(), String> {
        let text = texts::of(&notice.languages);
        let (subject, body) = (text.notice_subject(notice), text.notice_body(notice));
        self.send_mail(&notice.address, subject, body).await
    }

    pub async fn send_campaign_mail(&self, mail: &CampaignMail<'_>) -> Attempt {
        let company = self.company.as_deref();
        campaign_mail::send(&self.campaign_transport, mail, &self.sender, company).await
    }

    pub fn message_id(&self, id: &str) -> String {
        campaign_mail::message_id(id, &self.sender)
    }

    /// Adds the name of the company as the signature (RFC 3676 §4.3).
    fn signed(&self, body: String) -> String {
        match &self.company {
            Some(company) => format!("{body}\n-- \n{company}\n"),
            None => body,
        }
    }

    async fn send_mail(
        &self,
        to: &Identifier,
        subject: String,
        body: String,
    ) -> Result<(), String> {
        let Identifier::Email(address) = to else {
            return Err("a message to a phone number cannot be sent by e-mail".into());
        };
        let mail = Message::builder()
            .from(self.sender.clone())
            .to(address.parse().map_err(|_| "the e-mail address is malformed")?)
            .subject(subject)
            .header(ContentType::TEXT_PLAIN)
            .body(self.signed(body))
            .map_err(|error| error.to_string())?;
        self.transport.send(mail).await.map(drop).map_err(|error| super::reason(&error))
    }
}
