// Generated from es.arb by tools/texts. Do not edit.
import type { Texts } from "./texts";

const numbers = new Intl.NumberFormat("es");

/** The words of es.arb. */
export const texts: Texts = {
  lang: "es",
  dir: "ltr",
  title: "Flags",
  open: "Ver los flags",
  close: "Cerrar",
  search: "Buscar flags",
  nobody: "Todavía no se ha indicado ningún usuario.",
  person: "Persona",
  version: "Versión",
  none: "Aquí no hay flags.",
  why: "Motivo",
  state: "Estado",
  status: {
    fresh: "actual",
    cached: "de la caché",
    fallback: "sin respuesta, se muestra el valor de reserva",
  },
  stored: "Guardado",
  reads: "Depende de",
  here: "En este dispositivo",
  asDecided: "según lo decidido",
  apply: "Fijar",
  reset: "Restablecer",
  resetAll: "Restablecer todo",
  changed: (n: number) => `${numbers.format(n)} modificados aquí`,
  noJson: "Esto no es JSON.",
  experiments: "Experimentos",
  holdouts: "Grupos excluidos",
  phase: "fase",
  group: {
    HELD_OUT: "excluido",
    COMPARISON: "de comparación",
    GENERAL: "no excluido",
  },
};
