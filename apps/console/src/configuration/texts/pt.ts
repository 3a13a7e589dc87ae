import type { ConfigurationTexts } from "./texts";

export const pt: ConfigurationTexts = {
  environment: "Ambiente",
  none: "Ainda não há ambientes.",
  noneIsMine: "Nenhum dos ambientes pertence ao seu papel.",
  notThere: (missing, env) =>
    `O ambiente ${missing} não existe aqui ou não pertence ao seu papel. Este é ${env}.`,
  noneHint: "Um ambiente guarda um conjunto de flags, como production ou staging.",
  addFirst: "Adicionar o primeiro ambiente",
  askAdmin: "Um administrador adiciona o primeiro nas configurações.",
  keyForm:
    "De 1 a 100 letras minúsculas, dígitos, pontos, hifens e sublinhados; o primeiro é uma letra ou um dígito.",
  tabs: { label: "Flags", flags: "Flags" },
  flag: "Flag",
  comment: "Comentário",
  showChanges: "Mostrar o que muda",
  reverted: (version) => `Tudo está de novo como na versão ${version}.`,
  notReverted: "Não foi desfeito: outra pessoa alterou algo desde então. Veja o histórico.",
  planTitle: "Agendar uma alteração",
  planWhat: "O que deve acontecer",
  whats: { on: "Ligar", off: "Desligar", edited: "Salvar como está sendo editada" },
  planned: {
    on: (flag) => `ligar ${flag}`,
    off: (flag) => `desligar ${flag}`,
    edited: (flag) => `alterar ${flag}`,
  },
  planAt: "Quando",
  inZone: (zone) => `Em ${zone}.`,
  planHint:
    "O que outras pessoas alterarem até lá permanece. Se alguém alterar justamente esta flag, a alteração agendada falha em vez de desfazer isso.",
  planIt: "Agendar",
  isPlanned: "Agendada. Está na lista em Agendadas, onde pode ser cancelada.",
  isPlannedIfApproved:
    "Agendada. Outras pessoas precisam aprová-la antes: ela aguarda em Aprovações.",

  copyTitle: (flag) => `Copiar ${flag}`,
  copyHint:
    "Com os segmentos e atributos de que precisa. Se está ligada ou não no destino, continua como está.",
  copyTo: "Para o ambiente",
  copyComment: (flag, from) => `${flag} copiada de ${from}`,
  copied: (flag, to) => `${flag} agora está em ${to}.`,
  restored: "O que você não tinha salvado está de volta.",
  discardDraft: "Descartar",
  unsaved: "Alterações que não foram salvas",
  newUnsaved: "Ainda não salva",
  discard: "Descartar",
  review: "Revisar e salvar",
};
