import type { AccountTexts } from "./texts";

export const pt: AccountTexts = {
  passwordTitle: "Senha",
  passwordHint: "Uma senha nova encerra suas sessões em todos os outros aparelhos.",
  current: "Senha atual",
  change: "Mudar a senha",
  changed: "Sua senha foi mudada. Suas outras sessões terminaram.",
  byCompany: (provider) => `Você entra com ${provider}. Aqui não há senha para mudar.`,
  authenticatorTitle: "Autenticador",
  hasAuthenticator: "Configurado. Ao entrar, pedem-se os seis dígitos dele.",
  noAuthenticator: "Não configurado. Só a sua senha basta para entrar.",
  lostAuthenticator:
    "Se você o perdeu, fale com quem administra o servidor: o comando “musette user add --totp” o substitui.",
  setUpAuthenticator: "Configurar o autenticador",
  confirmTitle: "Confirme que é você",
  confirmWhy:
    "Esta alteração pode dar acesso a outra pessoa. Confirme sua identidade. A confirmação vale por 10 minutos.",
  ownPassword: "Sua senha",
  confirm: "Confirmar",
  notNow: "Cancelar",
  confirmWith: (provider) => `Confirmar com ${provider}`,
  goOnThere: "Continue na janela que se abriu.",
  wrongPassword: "A senha está errada.",
  confirmed: "Confirmado",
  notConfirmed: "Não confirmado",
  closeWindow: "Você pode fechar esta janela.",
  otherPerson: "Você entrou com outra conta. Use a mesma conta que aqui.",
  notFresh:
    "O login da sua empresa não diz que você acabou de entrar lá. Use sua senha ou fale com um administrador.",
};
