import type { ConfigurationTexts } from "./texts";

export const pt: ConfigurationTexts = {
  environment: "Ambiente",
  none: "Ainda não há ambientes.",
  noneIsMine: "Você não tem acesso a nenhum ambiente.",
  notThere: (missing, env) =>
    `O ambiente ${missing} não existe ou você não tem acesso a ele. Exibindo ${env}.`,
  noneHint: "Um ambiente guarda um conjunto de flags, como production ou staging.",
  addFirst: "Adicionar ambiente",
  askAdmin: "Peça a um administrador para adicionar um ambiente.",
  keyForm:
    "Use de 1 a 100 letras minúsculas, dígitos, pontos, hifens e sublinhados. Comece com uma letra ou um dígito.",
  tabs: { label: "Flags", flags: "Flags" },
  flag: "Flag",
  comment: "Comentário",
  showChanges: "Mostrar alterações",
  reverted: (version) => `Versão ${version} restaurada`,
  notReverted: "Não restaurada: outro usuário salvou uma alteração. Consulte o histórico.",
  planTitle: "Agendar alteração",
  planWhat: "Alteração",
  whats: { on: "Ligar", off: "Desligar", edited: "Salvar como está sendo editada" },
  planned: {
    on: (flag) => `ligar ${flag}`,
    off: (flag) => `desligar ${flag}`,
    edited: (flag) => `alterar ${flag}`,
  },
  planAt: "Data e hora",
  inZone: (zone) => `Em ${zone}.`,
  planHint:
    "As outras alterações são mantidas. Se outro usuário alterar esta flag antes, a alteração agendada falha.",
  planIt: "Agendar alteração",
  isPlanned: "Agendada. Está na lista em Alterações agendadas, onde pode ser cancelada.",
  isPlannedIfApproved:
    "Agendada. A alteração precisa ser aprovada antes desse horário. Consulte Aprovações.",

  copyTitle: (flag) => `Copiar ${flag}`,
  copyHint:
    "Inclui os segmentos e atributos que a flag usa. O estado de ativação no ambiente de destino não muda.",
  copyTo: "Para o ambiente",
  copyComment: (flag, from) => `${flag} copiada de ${from}`,
  copied: (flag, to) => `${flag} copiada para ${to}`,
  restored: "O que você não tinha salvado está de volta.",
  discardDraft: "Descartar alterações",
  unsaved: "Alterações não salvas",
  newUnsaved: "Não salva",
  discard: "Descartar",
  review: "Revisar e salvar",
};
