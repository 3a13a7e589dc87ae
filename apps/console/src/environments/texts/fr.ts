import type { EnvironmentsTexts } from "./texts";

export const fr: EnvironmentsTexts = {
  owner: "Responsable",
  older: "Afficher les plus anciennes",
  discard: "Abandonner",

  historyTitle: "Historique des flags",
  historyIntro: (zone) =>
    `Toutes les versions qui ont été servies, la plus récente d’abord. Choisissez-en une pour voir ce qu’elle a modifié. Fuseau horaire\u202f: ${zone}.`,
  noHistory: "Rien n’a encore été enregistré ici.",
  noHistoryHint:
    "Chaque modification d’un flag, d’un segment ou d’un groupe exclu est une version à laquelle on peut revenir.",
  history: {
    key: (text) => text,
    named: (kind, key) => `${kind} ${key}`,
    // Nouns, since a participle would have to agree with what was changed.
    changes: {
      added: (what) => `${what}\u202f: ajout`,
      removed: (what) => `${what}\u202f: suppression`,
      changed: (what) => `${what}\u202f: modification`,
      switched_on: (what) => `${what}\u202f: activation`,
      switched_off: (what) => `${what}\u202f: désactivation`,
    },
    changedParts: (what, parts) => `${what}\u202f: modification (${parts})`,
    members: {
      rules: "règles de ciblage",
      variations: "variations",
      overrides: "ciblage individuel",
      prerequisites: "prérequis",
      tags: "étiquettes",
      metrics: "métriques",
    },
    separator: ", ",
    andMore: (what, more) => (more === "1" ? `${what} et 1 autre` : `${what} et ${more} autres`),
    nothing: "Aucune modification",
    by: (what, who) => `${what}, par ${who}`,
    actors: { command: "une commande", schedule: "la programmation" },
    erased: "une personne effacée",
    flag: "Flag",
    anyFlag: "Tous les flags",
    person: "Enregistré par",
    anybody: "Tout le monde",
    noneFound: "Aucune version ne correspond.",
    noneFoundHint: "Essayez un autre flag ou une autre personne.",
  },
  current: "actuelle",
  compared: "Comparaison de deux versions",
  from: "De la version",
  to: "À la version",
  closeCompared: "Fermer",
  goBackTo: (version) => `Revenir à la version ${version}`,
  goBackComment: (version) => `retour à la version ${version}`,

  plannedTitle: "Modifications programmées",
  plannedIntro: (zone) =>
    `Des modifications qui se font d’elles-mêmes, à leur heure. Fuseau horaire\u202f: ${zone}.`,
  newPlan: "Programmer une modification",
  noPlans: "Rien n’est programmé.",
  noPlansHint:
    "Programmez une modification quand un flag doit changer lundi à neuf heures sans que personne ait à être là.",
  statuses: {
    proposed: "proposée",
    waiting: "programmée",
    done: "appliquée",
    cancelled: "annulée",
    refused: "échouée",
  },
  proposedBy: (author, at) => `Proposé par ${author}, ${at}`,
  plannedBy: (author, at) => `Programmé par ${author}, ${at}`,
  refusedBecause:
    "Elle n’a pas été appliquée\u202f: entre-temps, quelqu’un avait modifié la même chose.",
  whatChanges: "Ce qui change",
  cancelPlan: "Annuler la modification",
  cancelTitle: "Annuler cette modification programmée\u202f?",
  cancelText: (at) => `Il ne se passera rien à cette date\u202f: ${at}.`,
  cancelled: "La modification programmée est annulée.",
  copyAll: "Tout copier depuis…",
  copyAllTitle: (to) => `Tout copier vers ${to}`,
  copyAllHint: "Les flags qui ne sont qu’ici sont retirés. Vous voyez tout avant l’enregistrement.",
  copyFrom: "Depuis l’environnement",
  copyAllComment: (from, version) => `copié depuis ${from}, version ${version}`,
  copiedAll: (from, to) => `${to} est maintenant comme ${from}.`,

  staleTitle: "Flags obsolètes",
  staleIntro:
    "Des flags qui ne décident plus de rien. Retirez-les d’abord du code des applications, puis d’ici.",
  why: "Raison",
  asked: "Demandé",
  reasons: {
    one_value: (days, variation) =>
      `Depuis ${days} jours, tout le monde a reçu «\u202f${variation}\u202f».`,
    unused: (days) => `Depuis ${days} jours, aucune application ne l’a demandé.`,
    rollout_complete: () => "Son déploiement progressif a atteint tout le monde.",
  },
  noStale: "Aucun flag n’est obsolète.",
  noStaleHint: (days) =>
    `Ici apparaissent les flags qui donnent la même chose à tout le monde depuis ${days} jours, que personne ne demande, ou dont le déploiement progressif est complet.`,

  jsonTitle: "Flags en JSON",
  jsonIntro:
    "Toute la configuration en un seul texte, pour des modifications en de nombreux endroits à la fois.",
  jsonRestored: "Ce que vous aviez saisi auparavant est encore là.",
  noJson: (line, column) => `JSON non valable, ligne ${line}, colonne ${column}.`,
  line: (line) => `Ligne ${line}`,
  noFaults: "Aucune erreur. L’enregistrement est possible.",
  check: "Vérifier",
  review: "Relire et enregistrer",
  savedAs: (version) => `Enregistré comme version ${version}.`,
  import: "Ouvrir un fichier",
  export: "Télécharger",
  flag: "Flag",
  showChanges: "Voir ce qui change",
  reverted: (version) => `Tout est de nouveau comme dans la version ${version}.`,
};
