import type { ComparisonTexts } from "./texts";

export const pt: ComparisonTexts = {
  title: "O que mudou no texto",
  show: (before, after) => `Comparar os textos: ${before} e ${after}`,
  thisDraft: "este rascunho",
  language: "Idioma",
  layout: "Disposição",
  layouts: { inline: "Um só texto", "side-by-side": "Lado a lado" },
  onlyNow: (languages) => `Novo nesta versão, nada para comparar: ${languages}.`,
  nothingInCommon: "As duas não têm um idioma em comum que pudesse ser comparado.",
  sameFile: "É o mesmo arquivo, byte por byte.",
};
