// Generated from en.arb by tools/texts. Do not edit.
use super::Texts;

pub const TEXTS: Texts = Texts {
    tag: "en",
    subject: "{code} is your sign-in code",
    body: "Your code is {code}\n\nIt works once and for 10 minutes. Nobody from us will ever ask you for it.\nIf you did not ask for a code, you can ignore this message.\n",
    test_subject: "Test message",
    test_body: "This is a test. One-time codes reach people this way.\n",
    asked_subject: "Waiting for your approval: {name}",
    asked_body: "{name} is waiting for your approval.\n\n{url}\n\nYou get this message because you may approve it.\n",
    returned_subject: "Sent back: {name}",
    returned_body: "{name} was sent back to you with a comment.\n\n{url}\n",
    scheduled_subject: "Published: {name}",
    scheduled_body: "{name} was published in your market. You can read it, and its differences from the version before:\n\n{url}\n\nYou get this message because you represent riders.\n",
    link_subject: "Your sign-in link",
    link_body: "An admin has created a sign-in link for you.\n\n{url}\n\nIt works once and for 72 hours, and lets you choose a password. Do not forward it.\nIf you did not expect this message, tell your admin.\n",
    contact_subject: "Your contact details were changed",
    contact_body: "The e-mail address or phone number of your account was changed, and the account was signed out everywhere.\n\nIf you did not ask for this, tell your company at once.\n",
    unsubscribe_title: "Unsubscribe from e-mails",
    unsubscribe_text: "You will get no more e-mails about optional terms. You still get what you must be informed about.",
    unsubscribe_action: "Unsubscribe",
    unsubscribed: "You are unsubscribed.",
};
