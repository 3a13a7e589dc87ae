import type { ConfigurationTexts } from "./texts";

export const fr: ConfigurationTexts = {
  environment: "Environnement",
  none: "Il n’y a pas encore d’environnement.",
  noneIsMine: "Aucun des environnements ne relève de votre rôle.",
  notThere: (missing, env) =>
    `L’environnement ${missing} n’existe pas ici, ou ne relève pas de votre rôle. Voici ${env}.`,
  noneHint: "Un environnement contient un jeu de flags, par exemple production ou staging.",
  addFirst: "Ajouter le premier environnement",
  askAdmin: "Un administrateur ajoute le premier dans les paramètres.",
  keyForm:
    "De 1 à 100 lettres minuscules, chiffres, points, tirets et tirets bas\u202f; d’abord une lettre ou un chiffre.",
  tabs: { label: "Flags", flags: "Flags" },
  flag: "Flag",
  comment: "Commentaire",
  showChanges: "Voir ce qui change",
  reverted: (version) => `Tout est de nouveau comme dans la version ${version}.`,
  notReverted:
    "Retour impossible\u202f: quelqu’un d’autre a modifié quelque chose depuis. Voir l’historique.",
  planTitle: "Programmer une modification",
  planWhat: "Ce qui doit se passer",
  whats: {
    on: "L’activer",
    off: "Le désactiver",
    edited: "L’enregistrer tel qu’il est en cours de modification",
  },
  planned: {
    on: (flag) => `activer ${flag}`,
    off: (flag) => `désactiver ${flag}`,
    edited: (flag) => `modifier ${flag}`,
  },
  planAt: "Quand",
  inZone: (zone) => `Fuseau horaire\u202f: ${zone}.`,
  planHint:
    "Ce que d’autres modifient d’ici là reste. Si quelqu’un modifie ce flag précis, la modification programmée échoue plutôt que de défaire la sienne.",
  planIt: "Programmer",
  isPlanned: "C’est programmé. La liste se trouve sous Programmation, où l’on peut annuler.",
  isPlannedIfApproved:
    "C’est programmé. D’autres doivent l’approuver d’ici là\u202f: elle attend sous Approbations.",

  copyTitle: (flag) => `Copier ${flag}`,
  copyHint:
    "Avec les segments et les attributs dont il a besoin. Là-bas, il reste activé ou désactivé comme il l’est.",
  copyTo: "Vers l’environnement",
  copyComment: (flag, from) => `${flag} copié depuis ${from}`,
  copied: (flag, to) => `${flag} est maintenant dans ${to}.`,
  restored: "Ce que vous n’aviez pas enregistré est de nouveau là.",
  discardDraft: "L’abandonner",
  unsaved: "Modifications non enregistrées",
  newUnsaved: "Pas encore enregistré",
  discard: "Abandonner",
  review: "Relire et enregistrer",
};
