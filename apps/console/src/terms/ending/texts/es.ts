import type { EndingTexts } from "./texts";

export const es: EndingTexts = {
  title: "Cancelar o retirar",
  cancel: "Cancelar esta versión",
  cancelHint: (date) =>
    `Entra en vigor el ${date}. Hasta entonces se puede cancelar: así no se le pide a nadie.`,
  cancelTitle: (title) => `¿Cancelar «${title}»?`,
  cancelText: (date) =>
    `Iba a entrar en vigor el ${date} y no lo hará nunca. Lo publicado sigue siendo legible aquí, y el registro guarda las dos cosas.`,
  notAsked: (count, written) =>
    count === 1
      ? "No se le pedirá a 1 repartidor al que se le habría pedido."
      : `No se les pedirá a ${written} repartidores a los que se les habría pedido.`,
  formerStays: "La versión anterior sigue en vigor.",
  nothingInstead: "Nada ocupa su lugar.",
  undoUntil: (date) => `Se puede deshacer hasta el ${date}.`,
  cancelled: (title) => `«${title}» está cancelado.`,
  isCancelled: (date) => `Cancelado el ${date}. No se le pidió ni se le pedirá a nadie.`,
  undoCancel: "Deshacer la cancelación",
  retire: "Retirar el documento",
  retireHint:
    "Cuando un documento se retira, ya no se le pide a nadie. Lo que las personas aceptaron se conserva, con sus recibos.",
  retireTitle: (title) => `¿Retirar «${title}»?`,
  retireText:
    "Ya no se le pide a nadie ninguna de sus versiones, y nadie deja de trabajar por no tenerlo. Para volver a pedirlo, publique un documento nuevo.",
  noLongerAsked: (count, written) =>
    count === 1
      ? "Ya no se le pide a 1 repartidor que no lo ha aceptado."
      : `Ya no se les pide a ${written} repartidores que no lo han aceptado.`,
  stays: (count, written) =>
    count === 1
      ? "La aceptación de 1 persona se conserva, con su recibo."
      : `Las aceptaciones de ${written} personas se conservan, con sus recibos.`,
  when: "Cuándo",
  atDate: "En una fecha",
  atOnce: "Al momento",
  atOnceHint: "No se puede deshacer.",
  from: "Retirado a partir de",
  retired: (title) => `«${title}» está retirado.`,
  retiredFrom: (title, date) => `«${title}» se retira a partir del ${date}.`,
  willRetire: (date) =>
    `Se retira a partir del ${date}: desde entonces no se le pide a nadie. No se pueden publicar versiones nuevas.`,
  isRetired: (date) =>
    `Retirado desde el ${date}. Ya no se le pide a nadie; las aceptaciones y los recibos se conservan.`,
  undoRetire: "Deshacer la retirada",
  undone: "Está como estaba antes.",
  notUndone: "No se ha podido deshacer: ya ha entrado en vigor o se ha cambiado desde entonces.",
};
