import type { ComparisonTexts } from "./texts";

export const es: ComparisonTexts = {
  title: "Qué ha cambiado en el texto",
  show: (before, after) => `Comparar los textos: ${before} y ${after}`,
  thisDraft: "este borrador",
  language: "Idioma",
  layout: "Disposición",
  layouts: { inline: "Un solo texto", "side-by-side": "Lado a lado" },
  onlyNow: (languages) => `Nuevo en esta versión, sin nada con que comparar: ${languages}.`,
  nothingInCommon: "Los dos no tienen ningún idioma en común que se pueda comparar.",
  sameFile: "Es el mismo archivo, byte por byte.",
};
