// Generated from fr.arb by tools/texts. Do not edit.
use super::Texts;

pub const TEXTS: Texts = Texts {
    tag: "fr",
    subject: "{code} est votre code de connexion",
    body: "Votre code est {code}\n\nIl est valable une seule fois, pendant 10 minutes. Personne chez nous ne vous le demandera jamais.\nSi vous n’avez pas demandé de code, vous pouvez ignorer ce message.\n",
    test_subject: "Message de test",
    test_body: "Ceci est un test. Les codes à usage unique arrivent de cette façon.\n",
    asked_subject: "En attente de votre approbation : {name}",
    asked_body: "{name} attend votre approbation.\n\n{url}\n\nVous recevez ce message parce que vous pouvez l’approuver.\n",
    returned_subject: "Renvoyé : {name}",
    returned_body: "{name} vous a été renvoyé avec un commentaire.\n\n{url}\n",
    scheduled_subject: "Publié : {name}",
    scheduled_body: "{name} a été publié dans votre marché. Vous pouvez le lire ici, avec les différences par rapport à la version précédente :\n\n{url}\n\nVous recevez ce message car vous représentez les livreurs.\n",
    link_subject: "Votre lien de connexion",
    link_body: "Un administrateur a créé un lien de connexion pour vous.\n\n{url}\n\nIl fonctionne une seule fois, pendant 72 heures, et vous permet de choisir un mot de passe. Ne le transférez pas.\nSi vous n’attendiez pas ce message, prévenez votre administrateur.\n",
    contact_subject: "Vos coordonnées ont été modifiées",
    contact_body: "L’adresse e-mail ou le numéro de téléphone de votre compte a été modifié, et le compte a été déconnecté partout.\n\nSi vous ne l’avez pas demandé, prévenez immédiatement votre entreprise.\n",
    unsubscribe_title: "Se désabonner des e-mails",
    unsubscribe_text: "Vous ne recevrez plus d’e-mails sur les conditions facultatives. Vous recevrez toujours les informations obligatoires.",
    unsubscribe_action: "Se désabonner",
    unsubscribed: "Vous êtes désabonné.",
};
