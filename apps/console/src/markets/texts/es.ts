import type { MarketsTexts } from "./texts";

export const es: MarketsTexts = {
  title: "Mercados",
  intro:
    "Un mercado es donde alguien trabaja: un país, una parte de él o un lugar propio. Unos términos para un mercado valen para todos los que están dentro.",
  market: "Mercado",
  all: "Todos los mercados",
  add: "Añadir un mercado",
  edit: "Editar",
  editThis: (code) => `Editar ${code}`,
  save: "Guardar",
  saved: (code) => `${code} está guardado.`,
  change: "Cambio",
  code: "Código",
  codeHint: "DE, DE-BE o DE-BE.berlin: un país, una subdivisión, un lugar.",
  noCode: "Esto no es un código de mercado.",
  taken: "Ya hay uno con este código.",
  name: "Nombre",
  nameHint: "Como lo llama su gente. Un país ya tiene su nombre.",
  timezone: "Zona horaria",
  timezoneHint: "Como Europe/Berlin.",
  people: "Personas",
  terms: "Términos",
  none: "No hay mercados declarados.",
  noneHint:
    "No hace falta ninguno mientras todas las personas reciban los mismos términos. Los países se pueden usar sin declararlos.",
  remove: "Quitar",
  removeThis: (code) => `Quitar ${code}`,
  removeAsk: (code) => `¿Quitar ${code}?`,
  removeHint: "Solo se puede quitar mientras ninguna persona y ningún término lo use.",
  removed: (code) => `${code} se ha quitado.`,
};
