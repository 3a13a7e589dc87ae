import type { ConfigurationTexts } from "./texts";

export const es: ConfigurationTexts = {
  environment: "Entorno",
  none: "Todavía no hay entornos.",
  noneIsMine: "No tiene acceso a ningún entorno.",
  notThere: (missing, env) =>
    `El entorno ${missing} no existe o no tiene acceso a él. Se muestra ${env}.`,
  noneHint: "Un entorno contiene un conjunto de flags, como production o staging.",
  addFirst: "Añadir entorno",
  askAdmin: "Pida a un administrador que añada un entorno.",
  keyForm:
    "Use de 1 a 100 letras minúsculas, dígitos, puntos, guiones y guiones bajos. Empiece con una letra o un dígito.",
  tabs: { label: "Flags", flags: "Flags" },
  flag: "Flag",
  comment: "Comentario",
  showChanges: "Mostrar los cambios",
  reverted: (version) => `Versión ${version} restaurada`,
  notReverted: "No restaurada: otro usuario ha guardado un cambio. Consulte el historial.",
  planTitle: "Programar un cambio",
  planWhat: "Cambio",
  whats: { on: "Activar", off: "Desactivar", edited: "Guardar tal como se está editando" },
  planned: {
    on: (flag) => `activar ${flag}`,
    off: (flag) => `desactivar ${flag}`,
    edited: (flag) => `cambiar ${flag}`,
  },
  planAt: "Fecha y hora",
  inZone: (zone) => `En ${zone}.`,
  planHint:
    "Los demás cambios se conservan. Si otro usuario cambia antes esta flag, el cambio programado falla.",
  planIt: "Programar el cambio",
  isPlanned: "Programado. Está en la lista de Cambios programados, donde se puede anular.",
  isPlannedIfApproved:
    "Programado. El cambio debe aprobarse antes de esa hora. Consulte Aprobaciones.",

  copyTitle: (flag) => `Copiar ${flag}`,
  copyHint:
    "Incluye los segmentos y atributos que usa la flag. El estado de activación en el entorno de destino no cambia.",
  copyTo: "Al entorno",
  copyComment: (flag, from) => `${flag} copiada de ${from}`,
  copied: (flag, to) => `${flag} copiada en ${to}`,
  restored: "Lo que no había guardado está de vuelta.",
  discardDraft: "Descartar los cambios",
  unsaved: "Cambios sin guardar",
  newUnsaved: "Sin guardar",
  discard: "Descartar",
  review: "Revisar y guardar",
};
