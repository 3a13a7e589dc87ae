import type { AccountTexts } from "./texts";

export const fr: AccountTexts = {
  passwordTitle: "Mot de passe",
  passwordHint: "Un nouveau mot de passe met fin à vos sessions sur tous les autres appareils.",
  current: "Mot de passe actuel",
  change: "Changer le mot de passe",
  changed: "Votre mot de passe est changé. Vos autres sessions sont terminées.",
  byCompany: (provider) =>
    `Vous vous connectez avec ${provider}. Il n’y a pas de mot de passe à changer ici.`,
  authenticatorTitle: "Application d’authentification",
  hasAuthenticator: "Configurée. La connexion demande ses six chiffres.",
  noAuthenticator: "Non configurée. Votre mot de passe suffit pour vous connecter.",
  lostAuthenticator:
    "Si vous l’avez perdue, adressez-vous aux responsables du serveur : la commande « musette user add --totp » la remplace.",
  setUpAuthenticator: "Configurer l’application",
  confirmTitle: "Confirmez votre identité",
  confirmWhy:
    "Cette modification peut donner accès à une autre personne. Confirmez votre identité. La confirmation est valable 10 minutes.",
  ownPassword: "Votre mot de passe",
  confirm: "Confirmer",
  notNow: "Annuler",
  confirmWith: (provider) => `Confirmer avec ${provider}`,
  goOnThere: "Continuez dans la fenêtre qui s’est ouverte.",
  wrongPassword: "Le mot de passe est incorrect.",
  confirmed: "Identité confirmée",
  notConfirmed: "Identité non confirmée",
  closeWindow: "Vous pouvez fermer cette fenêtre.",
  otherPerson: "Vous vous êtes connecté avec un autre compte. Utilisez le même compte qu’ici.",
  notFresh:
    "La connexion de votre entreprise n’indique pas que vous venez de vous y connecter. Utilisez votre mot de passe ou demandez à un administrateur.",
};
