// Generated from it.arb by tools/texts. Do not edit.
use super::Texts;

pub const TEXTS: Texts = Texts {
    tag: "it",
    subject: "{code} è il tuo codice di accesso",
    body: "Il tuo codice è {code}\n\nVale una sola volta e per 10 minuti. Nessuno di noi te lo chiederà mai.\nSe non hai chiesto un codice, puoi ignorare questo messaggio.\n",
    test_subject: "Messaggio di prova",
    test_body: "Questa è una prova. I codici monouso arrivano in questo modo.\n",
    asked_subject: "In attesa della tua approvazione: {name}",
    asked_body: "{name} è in attesa della tua approvazione.\n\n{url}\n\nRicevi questo messaggio perché puoi approvarlo.\n",
    returned_subject: "Rimandato indietro: {name}",
    returned_body: "{name} ti è stato rimandato indietro con un commento.\n\n{url}\n",
    scheduled_subject: "Pubblicato: {name}",
    scheduled_body: "{name} è stato pubblicato nel suo mercato. Qui può leggerlo e vedere le differenze rispetto alla versione precedente:\n\n{url}\n\nRiceve questo messaggio perché rappresenta i rider.\n",
    link_subject: "Il tuo link di accesso",
    link_body: "Un amministratore ha creato un link di accesso per te.\n\n{url}\n\nFunziona una sola volta, per 72 ore, e ti permette di scegliere una password. Non inoltrarlo.\nSe non ti aspettavi questo messaggio, avvisa il tuo amministratore.\n",
    contact_subject: "I tuoi dati di contatto sono stati modificati",
    contact_body: "L’indirizzo e-mail o il numero di telefono del tuo account è stato modificato e l’account è stato disconnesso ovunque.\n\nSe non l’hai chiesto tu, avvisa subito la tua azienda.\n",
    unsubscribe_title: "Annulla l’iscrizione alle e-mail",
    unsubscribe_text: "Non riceverai più e-mail sui termini facoltativi. Continuerai a ricevere le informazioni obbligatorie.",
    unsubscribe_action: "Annulla l’iscrizione",
    unsubscribed: "L’iscrizione è stata annullata.",
};
