// Generated from de.arb by tools/texts. Do not edit.
use super::Texts;

pub const TEXTS: Texts = Texts {
    tag: "de",
    subject: "{code} ist dein Anmeldecode",
    body: "Dein Code ist {code}\n\nEr gilt einmal und 10 Minuten lang. Niemand von uns wird dich je danach fragen.\nWenn du keinen Code angefordert hast, kannst du diese Nachricht ignorieren.\n",
    test_subject: "Testnachricht",
    test_body: "Das ist ein Test. Auf diesem Weg kommen Anmeldecodes an.\n",
    asked_subject: "Wartet auf deine Freigabe: {name}",
    asked_body: "{name} wartet auf deine Freigabe.\n\n{url}\n\nDu bekommst diese Nachricht, weil du es freigeben darfst.\n",
    returned_subject: "Zurückgegeben: {name}",
    returned_body: "{name} wurde dir mit einem Kommentar zurückgegeben.\n\n{url}\n",
    scheduled_subject: "Veröffentlicht: {name}",
    scheduled_body: "{name} wurde in Ihrem Markt veröffentlicht. Hier lesen Sie den Text und die Unterschiede zur vorherigen Fassung:\n\n{url}\n\nSie erhalten diese Nachricht, weil Sie Fahrer vertreten.\n",
    link_subject: "Ihr Anmeldelink",
    link_body: "Ein Admin hat einen Anmeldelink für Sie erstellt.\n\n{url}\n\nEr gilt einmal und 72 Stunden lang; mit ihm legen Sie ein Passwort fest. Leiten Sie ihn nicht weiter.\nWenn Sie diese Nachricht nicht erwartet haben, sagen Sie Ihrem Admin Bescheid.\n",
    contact_subject: "Deine Kontaktdaten wurden geändert",
    contact_body: "Die E-Mail-Adresse oder Telefonnummer deines Kontos wurde geändert, und das Konto wurde überall abgemeldet.\n\nWenn du das nicht wolltest, gib deinem Unternehmen sofort Bescheid.\n",
    unsubscribe_title: "E-Mails abbestellen",
    unsubscribe_text: "Du bekommst dann keine E-Mails mehr über freiwillige Bedingungen. Worüber du informiert werden musst, bekommst du weiterhin.",
    unsubscribe_action: "Abbestellen",
    unsubscribed: "Du hast die E-Mails abbestellt.",
};
