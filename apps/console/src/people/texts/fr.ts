import { plural } from "../../language/plural";
import type { PeopleTexts } from "./texts";

export const fr: PeopleTexts = {
  title: "Personnes",
  intro:
    "Rechercher quelqu’un\u202f: ce que la personne a accepté, où elle est connectée, ce qu’elle voit.",
  search: "Rechercher une personne",
  searchHint: "Identifiant, nom, e-mail ou téléphone",
  role: "Rôle",
  anyRole: "Tous les rôles",
  person: "Personne",
  reach: "E-mail et téléphone",
  since: "Depuis",
  shown: (people) => `Personnes affichées\u202f: ${people}`,
  nobody: "Personne ne correspond.",
  nobodyHint: (typed) =>
    `Aucun identifiant, e-mail ou téléphone ne commence par «\u202f${typed}\u202f», et aucun nom ne le contient. Une personne effacée est introuvable.`,
  noOne: "Il n’y a encore personne.",
  noOneHint:
    "Les personnes arrivent par la première connexion de votre application, par import ou à la main.",
  roles: { rider: "Livreur", worker: "Employé" },
  roleHints: {
    rider: "Est invité à accepter des conditions et travaille par créneaux",
    worker: "Travaille sur site",
  },
  rolesTitle: "Rôles",
  add: "Ajouter une personne",
  added: (userId) => `${userId}\u202f: personne ajoutée`,
  show: "Afficher la personne",
  done: "Terminé",
  keptDraft: "Ce que vous aviez saisi auparavant est encore là.",
  startOver: "Recommencer",
  userId: "Identifiant utilisateur",
  userIdHint: "Celui de vos propres systèmes. Il reste pour toujours.",
  name: "Nom",
  email: "E-mail",
  phone: "Téléphone",
  phoneHint: "Avec l’indicatif du pays, par exemple +33 6 39 98 01 23",
  faults: {
    userId: "Un identifiant utilisateur compte de 1 à 128 caractères, et n’est ni . ni ..",
    email: "Ce n’est pas une adresse e-mail.",
    phone: "Ce n’est pas un numéro de téléphone.",
  },
  importing: {
    title: "Importer des personnes",
    action: "Importer…",
    columns: "Un fichier CSV avec un en-tête et n’importe lesquelles de ces colonnes",
    rules:
      "Une ligne dont l’identifiant est connu modifie cette personne\u202f; une colonne absente ne change rien, une cellule vide efface. Plusieurs rôles se séparent par des espaces. Toutes les lignes sont prises, ou aucune.",
    drop: "Déposez un fichier CSV ici",
    choose: "Choisir un fichier",
    would: (added, changed, same) =>
      `À ajouter\u202f: ${added}, à modifier\u202f: ${changed}, sans changement\u202f: ${same}.`,
    run: "Importer",
    done: (added, changed) =>
      `Import terminé. Ajouts\u202f: ${added}, modifications\u202f: ${changed}.`,
    badRows: plural("fr", {
      one: "# ligne est incorrecte. Rien n’a été modifié.",
      other: "# lignes sont incorrectes. Rien n’a été modifié.",
    }),
    more: (count) => `Et ${count} de plus.`,
  },
  newLink: "Créer un lien de connexion",
  newLinkHint:
    "Pour quelqu’un qui n’arrive plus à se connecter. Le lien est valable une seule fois\u202f; l’ancien mot de passe reste valable jusqu’à son utilisation.",
  linkHint:
    "Remettez-lui ce lien par un moyen sûr. Il n’est affiché que cette fois et n’est valable qu’une fois\u202f: qui l’ouvre définit le mot de passe.",
  linkSent: "Le lien a été envoyé à l’adresse e-mail de cette personne.",
  linkNotSent: "Le message avec le lien n’a pas été remis. Créez un autre lien.",
  linkUntil: (instant) => `Jusqu’au ${instant}`,
  copyLink: "Copier le lien",
};
