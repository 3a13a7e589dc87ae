import type { EndingTexts } from "./texts";

export const es: EndingTexts = {
  title: "Finalizar este documento",
  cancel: "Cancelar la versión",
  cancelHint: (date) =>
    `Esta versión entra en vigor el ${date}. Si la cancela antes, no se pide a los repartidores que la acepten.`,
  cancelTitle: (title) => `¿Cancelar «${title}»?`,
  cancelText: (date) =>
    `Esta versión no entrará en vigor el ${date}. Sigue siendo legible aquí, y el registro conserva la publicación y la cancelación.`,
  notAsked: (count, written) =>
    count === 1
      ? "No se le pedirá a 1 repartidor al que se le habría pedido."
      : `No se les pedirá a ${written} repartidores a los que se les habría pedido.`,
  formerStays: "La versión actual sigue en vigor.",
  nothingInstead: "Ninguna otra versión entra en vigor.",
  undoUntil: (date) => `Se puede deshacer hasta el ${date}.`,
  cancelled: (title) => `«${title}» está cancelado.`,
  isCancelled: (date) => `Cancelada el ${date} antes de entrar en vigor.`,
  undoCancel: "Deshacer la cancelación",
  retire: "Retirar documento",
  retireHint:
    "Ya no se pide a los repartidores que acepten un documento retirado. Las decisiones y los recibos se conservan.",
  retireTitle: (title) => `¿Retirar «${title}»?`,
  retireText:
    "Ya no se pide a los repartidores que acepten este documento ni quedan bloqueados por él. Para volver a pedirlo, publique un documento nuevo.",
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
  atOnce: "Ahora",
  atOnceHint: "No se puede deshacer.",
  from: "Retirado a partir de",
  retired: (title) => `«${title}» está retirado.`,
  retiredFrom: (title, date) => `«${title}» se retirará el ${date}.`,
  willRetire: (date) => `Se retirará el ${date}. No se pueden publicar versiones nuevas.`,
  isRetired: (date) => `Retirado el ${date}. Las decisiones y los recibos se conservan.`,
  undoRetire: "Deshacer la retirada",
  undone: "Cambio deshecho.",
  notUndone: "Este cambio ya ha entrado en vigor o se ha vuelto a cambiar. No se puede deshacer.",
};
