export const en = {
  passwordTitle: "Password",
  passwordHint: "A new password ends your sessions on all other devices.",
  current: "Current password",
  change: "Change password",
  changed: "Your password is changed. Your other sessions have ended.",
  byCompany: (provider: string) =>
    `You sign in with ${provider}. There is no password to change here.`,
  authenticatorTitle: "Authenticator",
  hasAuthenticator: "Set up. Signing in asks for its six digits.",
  noAuthenticator: "Not set up. Your password alone signs you in.",
  lostAuthenticator:
    "If you have lost it, ask the people who run the server: the command “musette user add --totp” replaces it.",
  setUpAuthenticator: "Set up authenticator",
  confirmTitle: "Confirm that it is you",
  confirmWhy:
    "This change can give another person access. Confirm your identity. The confirmation is valid for 10 minutes.",
  ownPassword: "Your password",
  confirm: "Confirm",
  notNow: "Cancel",
  confirmWith: (provider: string) => `Confirm with ${provider}`,
  goOnThere: "Continue in the window that has opened.",
  wrongPassword: "The password is wrong.",
  confirmed: "You are confirmed",
  notConfirmed: "You are not confirmed",
  closeWindow: "You can close this window.",
  otherPerson: "You signed in with another account. Use the same account as here.",
  notFresh:
    "Your company’s sign-in does not say that you have just signed in there. Use your password, or ask an admin.",
};
