import type { ReachTexts } from "./texts";

export const fr: ReachTexts = {
  title: "Portée",
  addressed: "Concernés",
  sent: "Envoyés",
  accepted: "Acceptés par un canal",
  bounced: "Non remis",
  opened: "Ouverts",
  notReachable: "Non atteints",
  served: (percent, served, riders) => `${percent} remis\u202f: ${served} livreurs sur ${riders}`,
  servedHint:
    "Remis\u202f: un canal a accepté un message, ou le livreur a ouvert l’avis. Seul un avis ouvert compte comme lu.",
  noRiders: "Il n’y a aucun livreur.",
  unreached: "Livreurs pas encore atteints",
  rider: "Livreur",
  reason: "Motif",
  reasons: {
    not_contacted: "Aucun message pour l’instant",
    no_text: "Aucun texte dans sa langue",
    bounced: "L’adresse e-mail est en erreur",
    restricted_channel: "Désabonné des e-mails",
    no_address: "Aucune adresse pour les canaux",
    failed: "Le message a échoué",
  },
  none: "Tous les livreurs ont été atteints.",
  shown: (count) => `${count} livreurs affichés`,
  export: "Exporter en CSV",
  campaigns: "Afficher les campagnes",
  noNotice:
    "Cette page n’existe que pour les avis. La page Acceptation montre qui a accepté ce document.",
};
