import type { ConfigurationTexts } from "./texts";

export const fr: ConfigurationTexts = {
  environment: "Environnement",
  none: "Il n’y a pas encore d’environnement.",
  noneIsMine: "Vous n’avez accès à aucun environnement.",
  notThere: (missing, env) =>
    `L’environnement ${missing} n’existe pas, ou vous n’y avez pas accès. Environnement affiché\u202f: ${env}.`,
  noneHint: "Un environnement contient un jeu de flags, par exemple production ou staging.",
  addFirst: "Ajouter un environnement",
  askAdmin: "Demandez à un administrateur d’ajouter un environnement.",
  keyForm:
    "Utilisez de 1 à 100 lettres minuscules, chiffres, points, traits d’union et tirets bas. Commencez par une lettre ou un chiffre.",
  tabs: { label: "Flags", flags: "Flags" },
  flag: "Flag",
  comment: "Commentaire",
  showChanges: "Afficher les modifications",
  reverted: (version) => `Version ${version} restaurée`,
  notReverted:
    "Non restaurée\u202f: un autre utilisateur a enregistré une modification. Consultez l’historique.",
  planTitle: "Programmer une modification",
  planWhat: "Modification",
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
  planAt: "Date et heure",
  inZone: (zone) => `Fuseau horaire\u202f: ${zone}.`,
  planHint:
    "Les autres modifications sont conservées. Si un autre utilisateur modifie ce flag avant, la modification programmée échoue.",
  planIt: "Programmer la modification",
  isPlanned:
    "C’est programmé. La liste se trouve sous Modifications programmées, où l’on peut annuler.",
  isPlannedIfApproved:
    "Programmée. La modification doit être approuvée avant cette date. Consultez Approbations.",

  copyTitle: (flag) => `Copier ${flag}`,
  copyHint:
    "Inclut les segments et les attributs que le flag utilise. L’état activé ou désactivé dans l’environnement cible ne change pas.",
  copyTo: "Vers l’environnement",
  copyComment: (flag, from) => `${flag} copié depuis ${from}`,
  copied: (flag, to) => `${flag} copié vers ${to}`,
  restored: "Ce que vous n’aviez pas enregistré est de nouveau là.",
  discardDraft: "Abandonner les modifications",
  unsaved: "Modifications non enregistrées",
  newUnsaved: "Non enregistré",
  discard: "Abandonner",
  review: "Relire et enregistrer",
};
