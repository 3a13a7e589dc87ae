import type { ComparisonTexts } from "./texts";

export const es: ComparisonTexts = {
  title: "Cambios del texto",
  show: (before, after) => `Comparar ${before} con ${after}`,
  thisDraft: "este borrador",
  language: "Idioma",
  layout: "Disposición",
  layouts: { inline: "En línea", "side-by-side": "Lado a lado" },
  onlyNow: (languages) => `Idiomas nuevos, no comparados: ${languages}`,
  nothingInCommon: "Las versiones no tienen ningún idioma en común.",
  sameFile: "Los archivos son idénticos.",
};
