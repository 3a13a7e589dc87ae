import type { ReachTexts } from "./texts";

export const pt: ReachTexts = {
  title: "Alcance",
  addressed: "Destinatários",
  sent: "Enviados",
  accepted: "Aceitos por um canal",
  bounced: "Devolvidos",
  opened: "Abertos",
  notReachable: "Não alcançados",
  served: (percent, served, riders) => `${percent} entregue: ${served} de ${riders} entregadores`,
  servedHint:
    "Entregue: um canal aceitou uma mensagem, ou o entregador abriu o aviso. Só um aviso aberto conta como lido.",
  noRiders: "Não há entregadores.",
  unreached: "Entregadores ainda não alcançados",
  rider: "Entregador",
  reason: "Motivo",
  reasons: {
    not_contacted: "Ainda sem mensagem",
    no_text: "Não há texto no idioma",
    bounced: "O e-mail foi devolvido",
    restricted_channel: "Cancelou o recebimento de e-mails",
    no_address: "Sem endereço para os canais",
    failed: "A mensagem falhou",
  },
  none: "Todos os entregadores foram alcançados.",
  shown: (count) => `${count} entregadores exibidos`,
  export: "Exportar como CSV",
  campaigns: "Mostrar campanhas",
  noNotice: "Esta página só existe para avisos. Cobertura mostra quem aceitou este documento.",
};
