import type { MarketsTexts } from "./texts";

export const pt: MarketsTexts = {
  title: "Mercados",
  intro:
    "Um mercado é onde alguém trabalha: um país, uma parte dele ou um lugar seu. Um termo para um mercado vale para todos dentro dele.",
  market: "Mercado",
  all: "Todos os mercados",
  add: "Adicionar um mercado",
  edit: "Editar",
  editThis: (code) => `Editar ${code}`,
  save: "Salvar",
  saved: (code) => `${code} foi salvo.`,
  change: "Alterar",
  code: "Código",
  codeHint: "DE, DE-BE ou DE-BE.berlin: um país, uma subdivisão, um lugar.",
  noCode: "Isto não é um código de mercado.",
  taken: "Já existe um com este código.",
  name: "Nome",
  nameHint: "Como a sua equipe o chama. Um país já tem o próprio nome.",
  timezone: "Fuso horário",
  timezoneHint: "Por exemplo, Europe/Berlin.",
  people: "Pessoas",
  terms: "Termos",
  none: "Nenhum mercado foi declarado.",
  noneHint:
    "Você não precisa de nenhum enquanto todas as pessoas recebem os mesmos termos. Países podem ser usados sem declaração.",
  remove: "Remover",
  removeThis: (code) => `Remover ${code}`,
  removeAsk: (code) => `Remover ${code}?`,
  removeHint: "Só pode ser removido enquanto nenhuma pessoa e nenhum termo o usa.",
  removed: (code) => `${code} foi removido.`,
};
