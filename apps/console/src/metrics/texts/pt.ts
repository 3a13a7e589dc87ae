import type { MetricsTexts } from "./texts";

export const pt: MetricsTexts = {
  title: "Métricas",
  intro: "O que se mede das pessoas, qual direção é melhor e onde isso decide.",
  metric: "Métrica",
  measured: "Medida como",
  usedBy: "Usada por",
  change: "Alterar",
  unused: "nada ainda",
  declare: "Declarar uma métrica",
  empty: "Nenhuma métrica foi declarada ainda.",
  emptyHint:
    "Uma métrica declarada diz qual direção é melhor e como os valores viram um só número. A partir da primeira, valores com outros nomes são rejeitados.",
  editShort: "Editar",
  undeclared: "Recebidas e não declaradas",
  undeclaredHint:
    "Chegaram valores com estes nomes. Até que alguém os declare, nada diz qual direção é melhor.",
  declareShort: "Declarar",
  review: "Revisar a alteração",
  edit: (metric) => `Editar ${metric}`,
  remove: (metric) => `Remover ${metric}`,
  declareThis: (metric) => `Declarar ${metric}`,
  divides: (metric) => `divide ${metric}`,
  saved: (version) => `Salvo como versão ${version}.`,
  roles: { goal: "alvo", guardrail: "proteção", secondary: "secundária" },
};
