import type { ComparisonTexts } from "./texts";

export const pt: ComparisonTexts = {
  title: "Alterações do texto",
  show: (before, after) => `Comparar ${before} com ${after}`,
  thisDraft: "este rascunho",
  language: "Idioma",
  layout: "Disposição",
  layouts: { inline: "Em linha", "side-by-side": "Lado a lado" },
  onlyNow: (languages) => `Novos idiomas, não comparados: ${languages}`,
  nothingInCommon: "As versões não têm idioma em comum.",
  sameFile: "Os arquivos são idênticos.",
};
