// Generated from pl.arb by tools/texts. Do not edit.
use super::Texts;

pub const TEXTS: Texts = Texts {
    tag: "pl",
    subject: "{code} to Twój kod logowania",
    body: "Twój kod to {code}\n\nDziała tylko raz i przez 10 minut. Nikt od nas nigdy Cię o niego nie poprosi.\nJeśli to nie Ty prosisz o kod, możesz zignorować tę wiadomość.\n",
    test_subject: "Wiadomość testowa",
    test_body: "To jest test. Tą drogą docierają kody jednorazowe.\n",
    asked_subject: "Czeka na Twoją akceptację: {name}",
    asked_body: "{name} czeka na Twoją akceptację.\n\n{url}\n\nOtrzymujesz tę wiadomość, ponieważ możesz to zaakceptować.\n",
    returned_subject: "Odesłano: {name}",
    returned_body: "{name} odesłano do Ciebie z komentarzem.\n\n{url}\n",
    scheduled_subject: "Opublikowano: {name}",
    scheduled_body: "{name} – opublikowano na Twoim rynku. Tekst i różnice względem poprzedniej wersji znajdziesz tutaj:\n\n{url}\n\nOtrzymujesz tę wiadomość, ponieważ reprezentujesz kurierów.\n",
    link_subject: "Twój link do logowania",
    link_body: "Administrator utworzył dla Ciebie link do logowania.\n\n{url}\n\nDziała jeden raz, przez 72 godziny, i pozwala wybrać hasło. Nie przekazuj go dalej.\nJeśli nie spodziewasz się tej wiadomości, powiadom administratora.\n",
    contact_subject: "Twoje dane kontaktowe zostały zmienione",
    contact_body: "Adres e-mail lub numer telefonu Twojego konta został zmieniony, a konto zostało wszędzie wylogowane.\n\nJeśli to nie Twoja prośba, natychmiast zawiadom swoją firmę.\n",
    unsubscribe_title: "Rezygnacja z e-maili",
    unsubscribe_text: "Nie będziesz już otrzymywać e-maili o dobrowolnych warunkach. Nadal otrzymasz informacje obowiązkowe.",
    unsubscribe_action: "Zrezygnuj",
    unsubscribed: "Zrezygnowano z e-maili.",
};
