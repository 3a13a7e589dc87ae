import type { MetricsTexts } from "./texts";

export const es: MetricsTexts = {
  title: "Métricas",
  intro: "Métricas para experimentos y holdouts",
  metric: "Métrica",
  measured: "Se mide como",
  usedBy: "La usan",
  change: "Cambio",
  unused: "Sin usar",
  declare: "Crear métrica",
  empty: "Todavía no hay métricas",
  emptyHint:
    "Una métrica declarada dice qué dirección es mejor y cómo los valores se convierten en una cifra. A partir de la primera, los valores con otros nombres se rechazan.",
  editShort: "Editar",
  undeclared: "Recibidas pero no definidas",
  undeclaredHint:
    "Se han recibido valores con estos nombres. Defina cada métrica para usarla en los resultados.",
  declareShort: "Definir métrica",
  review: "Revisar los cambios",
  edit: (metric) => `Editar ${metric}`,
  remove: (metric) => `Quitar ${metric}`,
  declareThis: (metric) => `Declarar ${metric}`,
  divides: (metric) => `denominador de ${metric}`,
  saved: (version) => `Guardado como versión ${version}.`,
  roles: { goal: "objetivo", guardrail: "protección", secondary: "secundaria" },
};
