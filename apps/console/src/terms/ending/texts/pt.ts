import type { EndingTexts } from "./texts";

export const pt: EndingTexts = {
  title: "Cancelar ou descontinuar",
  cancel: "Cancelar esta versão",
  cancelHint: (date) =>
    `Ela entra em vigor em ${date}. Até lá pode ser cancelada: então ninguém é perguntado sobre ela.`,
  cancelTitle: (title) => `Cancelar “${title}”?`,
  cancelText: (date) =>
    `Ela entraria em vigor em ${date}, e nunca vai entrar. O que foi publicado continua legível aqui, e o registro guarda as duas coisas.`,
  notAsked: (count, written) =>
    count < 2
      ? `${written} entregador que seria perguntado não será.`
      : `${written} entregadores que seriam perguntados não serão.`,
  formerStays: "A versão anterior continua em vigor.",
  nothingInstead: "Nada entra no lugar dela.",
  undoUntil: (date) => `Você pode desfazer isto até ${date}.`,
  cancelled: (title) => `“${title}” foi cancelada.`,
  isCancelled: (date) => `Cancelada em ${date}. Ninguém foi nem será perguntado sobre ela.`,
  undoCancel: "Desfazer o cancelamento",
  retire: "Descontinuar o documento",
  retireHint:
    "Depois que um documento é descontinuado, ninguém mais é perguntado sobre ele. O que as pessoas aceitaram fica, com os comprovantes.",
  retireTitle: (title) => `Descontinuar “${title}”?`,
  retireText:
    "Ninguém mais é perguntado sobre nenhuma versão dele, e ninguém é impedido de trabalhar por falta dele. Para perguntar de novo, publique um novo documento.",
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
  atOnce: "Na hora",
  atOnceHint: "Isto não pode ser desfeito.",
  from: "Descontinuado a partir de",
  retired: (title) => `“${title}” foi descontinuado.`,
  retiredFrom: (title, date) => `“${title}” será descontinuado a partir de ${date}.`,
  willRetire: (date) =>
    `Descontinuado a partir de ${date}: então ninguém mais é perguntado sobre ele. Novas versões não podem ser publicadas.`,
  isRetired: (date) =>
    `Descontinuado desde ${date}. Ninguém mais é perguntado sobre ele; aceites e comprovantes ficam.`,
  undoRetire: "Desfazer a descontinuação",
  undone: "Está como era antes.",
  notUndone: "Não pôde ser desfeito: já entrou em vigor ou foi alterado desde então.",
};
