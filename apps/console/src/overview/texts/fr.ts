import { plural } from "../../language/plural";
import type { OverviewTexts } from "./texts";

export const fr: OverviewTexts = {
  attention: "À traiter",
  nothing: "Rien à traiter.",
  draft: (title) => `Brouillon : ${title}`,
  untitled: "Sans titre",
  scheduled: (title, date) => `${title} prend effet le ${date}`,
  withdrawals: plural("fr", {
    one: "# retrait ces 7 derniers jours",
    other: "# retraits ces 7 derniers jours",
  }),
  approvals: plural("fr", {
    one: "# modification attend une approbation",
    other: "# modifications attendent une approbation",
  }),
  mismatch: (key) => `${key} : répartition des participants inattendue`,
  winner: (key) => `${key} : une variante est meilleure`,
  harmed: (key) => `${key} : une métrique de garde est moins bonne`,
  stale: plural("fr", { one: "# flag obsolète", other: "# flags obsolètes" }),
  planned: plural("fr", {
    one: "# modification planifiée dans les 7 prochains jours",
    other: "# modifications planifiées dans les 7 prochains jours",
  }),
  unsaved: (key) => `${key} : modifications non enregistrées`,
  noBackup: "Aucune sauvegarde",
  oldBackup: "La dernière sauvegarde date de plus de 24 heures",
  notVerified: "Le journal n’a pas été vérifié ces dernières 24 heures",
  logErrors: "La vérification du journal a échoué",
  webhook: (url) => `Le webhook ${url} est désactivé`,
  serviceKey: (name, date) => `La clé de service ${name} expire le ${date}`,
  bypassed: plural("fr", {
    one: "# approbation contournée ces 30 derniers jours",
    other: "# approbations contournées ces 30 derniers jours",
  }),
  codes: plural("fr", {
    one: "# code non distribué ces dernières 24 heures",
    other: "# codes non distribués ces dernières 24 heures",
  }),
  discussions: plural("fr", {
    one: "# discussion ouverte",
    other: "# discussions ouvertes",
  }),
  dueSoon: plural("fr", {
    one: "# réponse à un coursier attendue dans les 4 prochains jours",
    other: "# réponses à des coursiers attendues dans les 4 prochains jours",
  }),
  overdue: plural("fr", {
    one: "# réponse à un coursier est en retard",
    other: "# réponses à des coursiers sont en retard",
  }),
  reviews: plural("fr", {
    one: "# réexamen d’une restriction attend une réponse",
    other: "# réexamens de restrictions attendent une réponse",
  }),
  find: "Chercher une personne",
  findButton: "Chercher",
  lastPeople: "Personnes ouvertes récemment",
  trend: (points) => `${points} points en 30 jours`,
  chart: "Taux d’acceptation, 30 derniers jours",
  running: "Expériences en cours",
  participants: plural("fr", { one: "# participant", other: "# participants" }),
};
