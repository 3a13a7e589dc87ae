import type { ConfigurationTexts } from "./texts";

export const es: ConfigurationTexts = {
  environment: "Entorno",
  none: "Todavía no hay entornos.",
  noneIsMine: "Ninguno de los entornos corresponde a su rol.",
  notThere: (missing, env) =>
    `El entorno ${missing} no existe aquí o no corresponde a su rol. Este es ${env}.`,
  noneHint: "Un entorno contiene un conjunto de flags, como production o staging.",
  addFirst: "Añadir el primer entorno",
  askAdmin: "Un administrador añade el primero en la configuración.",
  keyForm:
    "De 1 a 100 letras minúsculas, dígitos, puntos, guiones y guiones bajos; el primero es una letra o un dígito.",
  tabs: { label: "Flags", flags: "Flags" },
  flag: "Flag",
  comment: "Comentario",
  showChanges: "Mostrar qué cambia",
  reverted: (version) => `Todo está de nuevo como en la versión ${version}.`,
  notReverted: "No se ha deshecho: otra persona ha cambiado algo desde entonces. Vea el historial.",
  planTitle: "Programar un cambio",
  planWhat: "Qué debe ocurrir",
  whats: { on: "Activar", off: "Desactivar", edited: "Guardar tal como se está editando" },
  planned: {
    on: (flag) => `activar ${flag}`,
    off: (flag) => `desactivar ${flag}`,
    edited: (flag) => `cambiar ${flag}`,
  },
  planAt: "Cuándo",
  inZone: (zone) => `En ${zone}.`,
  planHint:
    "Lo que otras personas cambien hasta entonces se mantiene. Si alguien cambia precisamente esta flag, el cambio programado falla en lugar de deshacerlo.",
  planIt: "Programar",
  isPlanned: "Programado. Está en la lista de Programados, donde se puede anular.",
  isPlannedIfApproved: "Programado. Otras personas deben aprobarlo antes: espera en Aprobaciones.",

  copyTitle: (flag) => `Copiar ${flag}`,
  copyHint:
    "Con los segmentos y atributos que necesita. Si está activada o no en el destino, sigue como está.",
  copyTo: "Al entorno",
  copyComment: (flag, from) => `${flag} copiada de ${from}`,
  copied: (flag, to) => `${flag} ya está en ${to}.`,
  restored: "Lo que no había guardado está de vuelta.",
  discardDraft: "Descartar",
  unsaved: "Cambios sin guardar",
  newUnsaved: "Todavía sin guardar",
  discard: "Descartar",
  review: "Revisar y guardar",
};
