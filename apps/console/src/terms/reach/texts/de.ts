import type { ReachTexts } from "./texts";

export const de: ReachTexts = {
  title: "Reichweite",
  addressed: "Betroffen",
  sent: "Gesendet",
  accepted: "Von einem Kanal angenommen",
  bounced: "Unzustellbar",
  opened: "Geöffnet",
  notReachable: "Nicht erreicht",
  served: (percent, served, riders) => `${percent} zugestellt: ${served} von ${riders} Fahrern`,
  servedHint:
    "Zugestellt: Ein Kanal hat eine Nachricht angenommen, oder der Fahrer hat die Mitteilung geöffnet. Als gelesen gilt nur eine geöffnete Mitteilung.",
  noRiders: "Es gibt keine Fahrer.",
  unreached: "Noch nicht erreichte Fahrer",
  rider: "Fahrer",
  reason: "Grund",
  reasons: {
    not_contacted: "Noch keine Nachricht",
    no_text: "Kein Text in ihrer Sprache",
    bounced: "Die E-Mail-Adresse ist unzustellbar",
    restricted_channel: "Von E-Mails abgemeldet",
    no_address: "Keine Adresse für die Kanäle",
    failed: "Die Nachricht ist fehlgeschlagen",
  },
  none: "Alle Fahrer wurden erreicht.",
  shown: (count) => `${count} Fahrer angezeigt`,
  export: "Als CSV exportieren",
  campaigns: "Kampagnen anzeigen",
  noNotice:
    "Diese Seite gibt es nur für Mitteilungen. Wer diesem Dokument zugestimmt hat, steht unter Zustimmung.",
};
