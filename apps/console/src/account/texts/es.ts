import type { AccountTexts } from "./texts";

export const es: AccountTexts = {
  passwordTitle: "Contraseña",
  passwordHint: "Una contraseña nueva termina sus sesiones en todos los demás dispositivos.",
  current: "Contraseña actual",
  change: "Cambiar la contraseña",
  changed: "Su contraseña ha cambiado. Sus otras sesiones han terminado.",
  byCompany: (provider) =>
    `Usted inicia sesión con ${provider}. Aquí no hay contraseña que cambiar.`,
  authenticatorTitle: "Autenticador",
  hasAuthenticator: "Configurado. Al iniciar sesión se piden sus seis cifras.",
  noAuthenticator: "Sin configurar. Su contraseña sola basta para iniciar sesión.",
  lostAuthenticator:
    "Si lo ha perdido, pregunte a quienes administran el servidor: la orden «musette user add --totp» lo sustituye.",
  setUpAuthenticator: "Configurar el autenticador",
  confirmTitle: "Confirme que es usted",
  confirmWhy:
    "Este cambio puede dar acceso a otra persona. Confirme su identidad. La confirmación es válida durante 10 minutos.",
  ownPassword: "Su contraseña",
  confirm: "Confirmar",
  notNow: "Cancelar",
  confirmWith: (provider) => `Confirmar con ${provider}`,
  goOnThere: "Continúe en la ventana que se ha abierto.",
  wrongPassword: "La contraseña no es correcta.",
  confirmed: "Confirmado",
  notConfirmed: "Sin confirmar",
  closeWindow: "Puede cerrar esta ventana.",
  otherPerson: "Ha iniciado sesión con otra cuenta. Use la misma cuenta que aquí.",
  notFresh:
    "El inicio de sesión de su empresa no indica que acabe de identificarse. Use su contraseña o pregunte a un administrador.",
};
