import type { MetricsTexts } from "./texts";

export const pt: MetricsTexts = {
  title: "Métricas",
  intro: "Métricas para experimentos e holdouts",
  metric: "Métrica",
  measured: "Medida como",
  usedBy: "Usada por",
  change: "Alterar",
  unused: "Não usada",
  declare: "Criar métrica",
  empty: "Nenhuma métrica ainda",
  emptyHint:
    "Uma métrica declarada diz qual direção é melhor e como os valores viram um só número. A partir da primeira, valores com outros nomes são rejeitados.",
  editShort: "Editar",
  undeclared: "Recebidas, mas não definidas",
  undeclaredHint:
    "Foram recebidos valores com estes nomes. Defina cada métrica para usá-la nos resultados.",
  declareShort: "Definir métrica",
  review: "Revisar alterações",
  edit: (metric) => `Editar ${metric}`,
  remove: (metric) => `Remover ${metric}`,
  declareThis: (metric) => `Declarar ${metric}`,
  divides: (metric) => `denominador de ${metric}`,
  saved: (version) => `Salvo como versão ${version}.`,
  roles: { goal: "alvo", guardrail: "proteção", secondary: "secundária" },
};
