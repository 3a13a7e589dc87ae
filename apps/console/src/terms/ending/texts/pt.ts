import type { EndingTexts } from "./texts";

export const pt: EndingTexts = {
  title: "Encerrar este documento",
  cancel: "Cancelar versão",
  cancelHint: (date) =>
    `Esta versão entra em vigor em ${date}. Se você a cancelar antes, os entregadores não serão convidados a aceitá-la.`,
  cancelTitle: (title) => `Cancelar “${title}”?`,
  cancelText: (date) =>
    `Esta versão não entrará em vigor em ${date}. Ela continua legível aqui, e o registro mantém a publicação e o cancelamento.`,
  notAsked: (count, written) =>
    count < 2
      ? `${written} entregador que seria perguntado não será.`
      : `${written} entregadores que seriam perguntados não serão.`,
  formerStays: "A versão atual continua em vigor.",
  nothingInstead: "Nenhuma outra versão entra em vigor.",
  undoUntil: (date) => `Você pode desfazer isto até ${date}.`,
  cancelled: (title) => `“${title}” foi cancelada.`,
  isCancelled: (date) => `Cancelada em ${date}, antes de entrar em vigor.`,
  undoCancel: "Desfazer cancelamento",
  retire: "Descontinuar documento",
  retireHint:
    "Os entregadores não são mais convidados a aceitar um documento descontinuado. As decisões e os comprovantes são mantidos.",
  retireTitle: (title) => `Descontinuar “${title}”?`,
  retireText:
    "Os entregadores não são mais convidados a aceitar este documento nem são bloqueados por ele. Para perguntar de novo, publique um novo documento.",
  noLongerAsked: (count, written) =>
    count < 2
      ? `${written} entregador que não aceitou não é mais perguntado.`
      : `${written} entregadores que não aceitaram não são mais perguntados.`,
  stays: (count, written) =>
    count < 2
      ? `O aceite de ${written} pessoa fica, com o comprovante.`
      : `Os aceites de ${written} pessoas ficam, com os comprovantes.`,
  when: "Quando",
  atDate: "Em uma data",
  atOnce: "Agora",
  atOnceHint: "Isto não pode ser desfeito.",
  from: "Descontinuado a partir de",
  retired: (title) => `“${title}” foi descontinuado.`,
  retiredFrom: (title, date) => `“${title}” será descontinuado em ${date}.`,
  willRetire: (date) => `Será descontinuado em ${date}. Novas versões não podem ser publicadas.`,
  isRetired: (date) => `Descontinuado em ${date}. As decisões e os comprovantes são mantidos.`,
  undoRetire: "Desfazer descontinuação",
  undone: "Alteração desfeita.",
  notUndone: "Esta alteração já entrou em vigor ou foi alterada de novo. Não pode ser desfeita.",
};
