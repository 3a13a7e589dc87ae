import { plural } from "../../language/plural";
import type { PeopleTexts } from "./texts";

export const fr: PeopleTexts = {
  title: "Personnes",
  intro: "Trouvez une personne et consultez ses décisions, ses sessions et ses flags.",
  search: "Rechercher des personnes",
  searchHint: "Identifiant, nom, adresse e-mail ou numéro de téléphone",
  role: "Rôle",
  anyRole: "Tous les rôles",
  person: "Personne",
  reach: "Contact",
  since: "Ajoutée",
  shown: (people) => `Personnes affichées\u202f: ${people}`,
  nobody: "Aucune personne trouvée",
  nobodyHint: (typed) =>
    `Aucun identifiant, aucune adresse e-mail ni aucun numéro de téléphone ne commence par «\u202f${typed}\u202f», et aucun nom ne le contient. Les personnes effacées ne sont pas listées.`,
  noOne: "Aucune personne pour l’instant",
  noOneHint: "Les personnes sont ajoutées à leur première connexion, par import ou ici.",
  roles: { rider: "Livreur", worker: "Employé" },
  roleHints: {
    rider: "Travaille par créneaux et doit accepter les documents obligatoires",
    worker: "Travaille sur site",
  },
  rolesTitle: "Rôles",
  add: "Ajouter une personne",
  added: (userId) => `${userId}\u202f: personne ajoutée`,
  show: "Ouvrir la personne",
  done: "Terminé",
  keptDraft: "Votre saisie précédente a été restaurée.",
  startOver: "Vider le formulaire",
  userId: "Identifiant utilisateur",
  userIdHint: "L’identifiant dans vos propres systèmes. Il ne peut pas être modifié.",
  name: "Nom",
  email: "E-mail",
  phone: "Téléphone",
  phoneHint: "Avec l’indicatif du pays, par exemple +33 6 39 98 01 23",
  errors: {
    userId: "Un identifiant utilisateur compte de 1 à 128 caractères, et n’est ni . ni ..",
    email: "Saisissez une adresse e-mail valide.",
    phone: "Saisissez un numéro de téléphone valide avec l’indicatif du pays.",
  },
  importing: {
    title: "Importer des personnes",
    action: "Importer des personnes",
    columns:
      "Un fichier CSV avec une ligne d’en-tête et n’importe lesquelles de ces colonnes\u202f:",
    rules:
      "Une ligne dont l’identifiant existe met à jour cette personne. Une colonne absente ne change rien. Une cellule vide efface la valeur. Séparez les rôles par des espaces. Si une ligne contient une erreur, rien n’est importé.",
    drop: "Déposez un fichier CSV ici",
    choose: "Choisir un fichier",
    would: (added, changed, same) =>
      `Personnes à ajouter\u202f: ${added}, à modifier\u202f: ${changed}, inchangées\u202f: ${same}`,
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
    "Pour un utilisateur qui ne peut pas se connecter. Le lien est valable une seule fois. Le mot de passe actuel reste valable jusqu’à l’utilisation du lien.",
  linkHint:
    "Envoyez ce lien à l’utilisateur par un canal sûr. Il n’est affiché et n’est valable qu’une seule fois. La personne qui ouvre le lien définit le mot de passe.",
  linkSent: "Le lien a été envoyé à l’adresse e-mail de cette personne.",
  linkNotSent: "Le message avec le lien n’a pas été remis. Créez un autre lien.",
  linkUntil: (instant) => `Expire le ${instant}`,
  copyLink: "Copier le lien",
};
