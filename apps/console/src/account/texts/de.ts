import type { AccountTexts } from "./texts";

export const de: AccountTexts = {
  passwordTitle: "Passwort",
  passwordHint: "Ein neues Passwort beendet Ihre Sitzungen auf allen anderen Geräten.",
  current: "Bisheriges Passwort",
  change: "Passwort ändern",
  changed: "Ihr Passwort ist geändert. Ihre anderen Sitzungen sind beendet.",
  byCompany: (provider) =>
    `Sie melden sich mit ${provider} an. Hier gibt es kein Passwort zu ändern.`,
  authenticatorTitle: "Authenticator",
  hasAuthenticator: "Eingerichtet. Die Anmeldung fragt nach seinen sechs Ziffern.",
  noAuthenticator: "Nicht eingerichtet. Ihr Passwort allein meldet Sie an.",
  lostAuthenticator:
    "Wenn Sie ihn verloren haben, fragen Sie die Betreiber des Servers: Der Befehl „musette user add --totp“ ersetzt ihn.",
  setUpAuthenticator: "Authenticator einrichten",
  confirmTitle: "Bestätigen Sie, dass Sie es sind",
  confirmWhy:
    "Diese Änderung kann einer anderen Person Zugriff geben. Bestätigen Sie Ihre Identität. Die Bestätigung gilt 10 Minuten.",
  ownPassword: "Ihr Passwort",
  confirm: "Bestätigen",
  notNow: "Abbrechen",
  confirmWith: (provider) => `Mit ${provider} bestätigen`,
  goOnThere: "Fahren Sie in dem Fenster fort, das sich geöffnet hat.",
  wrongPassword: "Das Passwort ist falsch.",
  confirmed: "Bestätigt",
  notConfirmed: "Nicht bestätigt",
  closeWindow: "Sie können dieses Fenster schließen.",
  otherPerson:
    "Sie haben sich mit einem anderen Konto angemeldet. Verwenden Sie dasselbe Konto wie hier.",
  notFresh:
    "Die Anmeldung Ihres Unternehmens sagt nicht, dass Sie sich dort gerade angemeldet haben. Verwenden Sie Ihr Passwort oder fragen Sie einen Admin.",
};
