import type { MetricsTexts } from "./texts";

export const es: MetricsTexts = {
  title: "Métricas",
  intro: "Qué se mide de las personas, qué dirección es mejor y dónde decide.",
  metric: "Métrica",
  measured: "Se mide como",
  usedBy: "La usan",
  change: "Cambio",
  unused: "nada todavía",
  declare: "Declarar una métrica",
  empty: "Todavía no hay métricas declaradas.",
  emptyHint:
    "Una métrica declarada dice qué dirección es mejor y cómo los valores se convierten en una cifra. A partir de la primera, los valores con otros nombres se rechazan.",
  editShort: "Editar",
  undeclared: "Recibidas y no declaradas",
  undeclaredHint:
    "Han llegado valores con estos nombres. Mientras nadie los declare, nada dice qué dirección es mejor.",
  declareShort: "Declarar",
  review: "Revisar el cambio",
  edit: (metric) => `Editar ${metric}`,
  remove: (metric) => `Quitar ${metric}`,
  declareThis: (metric) => `Declarar ${metric}`,
  divides: (metric) => `divide a ${metric}`,
  saved: (version) => `Guardado como versión ${version}.`,
  roles: { goal: "objetivo", guardrail: "de control", secondary: "secundaria" },
};
