// Generated from pt.arb by tools/texts. Do not edit.
import type { Texts } from "./texts";

const numbers = new Intl.NumberFormat("pt");

/** The words of pt.arb. */
export const texts: Texts = {
  lang: "pt",
  dir: "ltr",
  title: "Flags",
  open: "Mostrar flags",
  close: "Fechar",
  search: "Buscar flags",
  nobody: "Nenhum usuário foi definido ainda.",
  person: "Pessoa",
  version: "Versão",
  none: "Não há flags aqui.",
  why: "Motivo",
  state: "Estado",
  status: {
    fresh: "atual",
    cached: "do cache",
    fallback: "sem resposta, valor reserva mostrado",
  },
  stored: "Salvo",
  reads: "Depende de",
  here: "Neste aparelho",
  asDecided: "como decidido",
  apply: "Definir",
  reset: "Redefinir",
  resetAll: "Redefinir tudo",
  changed: (n: number) => `${numbers.format(n)} alterados aqui`,
  noJson: "Isto não é JSON.",
  experiments: "Experimentos",
  holdouts: "Grupos excluídos",
  phase: "fase",
  group: {
    HELD_OUT: "excluído",
    COMPARISON: "de comparação",
    GENERAL: "não excluído",
  },
};
