//! The texts of messages with a code and of notifications, with one ARB file for each language.

mod ar;
mod bn;
mod de;
mod en;
mod es;
mod fr;
mod it;
mod pl;
mod pt;
mod th;
mod tr;
mod ur;

use musette_core::terms::{choose_language, language_ranges};

use super::{Notice, NotificationKind};

/// `{code}` in the subject and the body is replaced by the code.
pub struct Texts {
    pub tag: &'static str,
    pub subject: &'static str,
    pub body: &'static str,
    /// The subject of a test message.
    pub test_subject: &'static str,
    pub test_body: &'static str,
    /// Subject of a request for approval; `{name}` is the draft or change.
    pub asked_subject: &'static str,
    /// `{url}` is the page of the approval.
    pub asked_body: &'static str,
    /// Subject of the message that a draft or change was sent back.
    pub returned_subject: &'static str,
    pub returned_body: &'static str,
    /// Subject of the message to a representative about a published text or automated system.
    pub scheduled_subject: &'static str,
    /// `{url}` is the page of it.
    pub scheduled_body: &'static str,
    /// Subject of the message with a sign-in link of the console.
    pub link_subject: &'static str,
    /// `{url}` is the link.
    pub link_body: &'static str,
    /// Subject of the message to a previous address after a change.
    pub contact_subject: &'static str,
    pub contact_body: &'static str,
    /// Title of the page that ends e-mails about optional terms.
    pub unsubscribe_title: &'static str,
    pub unsubscribe_text: &'static str,
    /// Label of the button.
    pub unsubscribe_action: &'static str,
    /// Shown after the button was pressed.
    pub unsubscribed: &'static str,
}

const ALL: [&Texts; 12] = [
    &en::TEXTS,
    &de::TEXTS,
    &es::TEXTS,
    &fr::TEXTS,
    &it::TEXTS,
    &pt::TEXTS,
    &pl::TEXTS,
    &tr::TEXTS,
    &ar::TEXTS,
    &th::TEXTS,
    &bn::TEXTS,
    &ur::TEXTS,
];

impl Texts {
    pub fn subject(&self, code: &str) -> String {
        self.subject.replace("{code}", code)
    }

    pub fn body(&self, code: &str) -> String {
        self.body.replace("{code}", code)
    }

    pub fn notice_subject(&self, notice: &Notice) -> String {
        let text = match notice.kind {
            NotificationKind::Asked => self.asked_subject,
            NotificationKind::Returned => self.returned_subject,
            NotificationKind::Scheduled => self.scheduled_subject,
            NotificationKind::SignInLink => self.link_subject,
            NotificationKind::ContactChanged => self.contact_subject,
        };
        text.replace("{name}", &notice.about)
    }

    pub fn notice_body(&self, notice: &Notice) -> String {
        let text = match notice.kind {
            NotificationKind::Asked => self.asked_body,
            NotificationKind::Returned => self.returned_body,
            NotificationKind::Scheduled => self.scheduled_body,
            NotificationKind::SignInLink => self.link_body,
            NotificationKind::ContactChanged => self.contact_body,
        };
        // The name is replaced last, so that placeholders in a user's text are not replaced.
        text.replace("{url}", &notice.url).replace("{name}", &notice.about)
    }
}

/// Returns the texts in the first supported language of an `Accept-Language` header; otherwise in
/// English.
pub fn of(accept_language: &str) -> &'static Texts {
    let chosen = choose_language(&language_ranges(accept_language), &ALL, |texts| texts.tag);
    chosen.copied().unwrap_or(&en::TEXTS)
}

#[cfg(test)]
mod tests {
    use super::{ALL, of};

    #[test]
    fn chooses_the_first_supported_language() {
        let subject = |languages: &str| of(languages).subject("123456");
        assert!(subject("nl, de-AT;q=0.9, en;q=0.8").contains("Anmeldecode"));
        assert!(subject("ar-EG").contains("رمز"));
        assert!(subject("th-TH").contains("รหัส"));
        assert!(subject("").contains("sign-in code"));
    }

    #[test]
    fn contains_the_code_once_in_every_language() {
        for texts in ALL {
            for text in [texts.subject("123456"), texts.body("123456")] {
                assert_eq!(text.matches("123456").count(), 1, "{}: {text}", texts.tag);
                assert!(!text.contains('{'), "{}: {text}", texts.tag);
            }
        }
    }
}
