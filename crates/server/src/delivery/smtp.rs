use std::time::Duration;

use lettre::message::Mailbox;
use lettre::message::header::ContentType;
use lettre::{AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor};
use musette_core::session::Identifier;

use super::{CodeMessage, texts};

const TIMEOUT: Duration = Duration::from_secs(20);

pub struct Mailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    sender: Mailbox,
}

/// Checks `--code-sender`.
pub fn sender(text: &str) -> Result<String, String> {
    let address: Result<Mailbox, _> = text.parse();
    address.map(|_| text.to_owned()).map_err(|_| "it is not an e-mail address".into())
}

impl Mailer {
    pub fn new(url: &str, sender: Option<String>) -> Result<Self, String> {
        let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(url)
            .map_err(|error| format!("--code-delivery: {error}"))?
            .timeout(Some(TIMEOUT))
            .build();
        let sender = sender.ok_or("--code-sender is needed with --code-delivery smtp://…")?;
        let sender = sender.parse().map_err(|_| "--code-sender is not an e-mail address")?;
        Ok(Self { transport, sender })
    }

    pub async fn send(&self, message: &CodeMessage) -> Result<(), String> {
        let Identifier::Email(address) = &message.identifier else {
            return Err("a phone number cannot get e-mail".into());
        };
        let text = texts::of(&message.languages);
        let mail = Message::builder()
            .from(self.sender.clone())
            .to(address.parse().map_err(|_| "the address is not one for e-mail")?)
            .subject((text.subject)(&message.code))
            .header(ContentType::TEXT_PLAIN)
            .body((text.body)(&message.code))
            .map_err(|error| error.to_string())?;
        self.transport.send(mail).await.map(drop).map_err(|error| error.to_string())
    }
}
