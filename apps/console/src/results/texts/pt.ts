import { plural } from "../../language/plural";
import type { ResultsTexts } from "./texts";

export const pt: ResultsTexts = {
  people: "Pessoas",
  peopleHint: (unit) =>
    `Contadas uma vez cada, por ${unit}, quando encontraram a sua variação pela primeira vez.`,
  arm: "Variação",
  count: "Pessoas",
  share: "Proporção",
  expected: "Esperado",
  all: (count) => `${count} pessoas no total`,
  noWeight: "não tem mais peso",
  ratioGood: (p) => `Chegaram na proporção dos pesos (${p}).`,
  ratioEarly: "Poucas ainda para dizer se chegam na proporção dos pesos.",
  weightsOff: "Os pesos mudaram dentro da fase: não use estes resultados",
  weightsOffText:
    "Os pesos das variações mudaram durante esta fase. As pessoas de antes e de depois da mudança estão misturadas, então a proporção não pode ser conferida e nenhuma diferença abaixo merece confiança. Comece uma nova fase.",
  ratioOff: "Desproporção da amostra: não use estes resultados",
  ratioOffText: (p) =>
    `As pessoas não chegaram na proporção dos pesos. Por acaso isso quase nunca aconteceria (${p}). Algumas se perderam no caminho em uma só variação, então nenhuma diferença abaixo merece confiança.`,
  ratioCauses: [
    "Uma variação informa a participação mais tarde, e há quem saia antes disso.",
    "O aviso depende de algo que só uma variação tem, como uma tela que é aberta.",
    "Os pesos foram alterados durante esta fase: comece uma nova fase depois de uma alteração assim.",
  ],
  twice: (count, share) =>
    `${count} pessoas (${share}) foram vistas em mais de uma variação; não contam em nenhuma.`,
  twiceOff: "Exposições múltiplas: não use estes resultados",
  twiceOffText: (count, share) =>
    `${count} pessoas (${share}) encontraram mais de uma variação. Na maioria das vezes a unidade não é estável: um ID que muda com o aparelho, ou pesos alterados sem uma nova fase.`,
  asOf: (time) => `Situação em ${time}. Atualizado a cada 30 segundos.`,
  updating: "Atualizando…",
  since: (from, to) => `Primeira participação em ${from}, última em ${to}.`,
  metric: "Resultados da métrica",
  metricHint: "Valores desde a primeira participação de cada pessoa.",
  metricField: "Métrica",
  metricNone: "Escolha uma métrica",
  metricNoneHint: "Não há métrica-alvo aqui. Escolha uma que o seu serviço informe.",
  show: "Mostrar",
  goal: "Alvo",
  goals: { higher: "maior", lower: "menor" },
  measure: "Medida como",
  measures: { mean: "média por pessoa", proportion: "proporção de pessoas" },
  phase: "Fase",
  phaseName: (phase) => `Fase ${phase}`,
  phaseNow: (phase) => `Fase ${phase} (agora)`,
  baseline: "referência",
  roles: { goal: "Métrica-alvo", guardrail: "Proteção", secondary: "Secundária" },
  directions: { increase: "Quanto maior, melhor", decrease: "Quanto menor, melhor" },
  kinds: {
    sum: "Soma por pessoa",
    conversion: "Proporção de pessoas",
    mean: "Média dos valores",
    ratio: "Razão entre duas métricas",
  },
  columns: {
    sum: "Média por pessoa",
    conversion: "Proporção",
    mean: "Média",
    ratio: "Razão",
  },
  overTime: "Ao longo do tempo",
  overTimeHint:
    "A diferença no fim de cada dia (UTC), com o intervalo que valia nele. Pessoas que encontraram várias variações não contam em nenhuma.",
  day: "Dia",
  asTable: (arm) => `${arm} como tabela`,
  daysToGo: plural("pt", {
    one: "Falta cerca de # dia.",
    many: "Faltam cerca de # de dias.",
    other: "Faltam cerca de # dias.",
  }),
  enoughPeople: "Pessoas suficientes já participaram.",
  enoughHint: (effect) =>
    `Uma mudança de ${effect} já teria sido encontrada em quatro de cinco testes. Se houver uma, provavelmente é menor.`,
  nobodyComes: "Ninguém novo chegou na última semana.",
  neededSoFar: (units, needed) => `${units} de ${needed} pessoas até agora`,
  remainingHint: (effect, sizes) =>
    `Até lá uma mudança de ${effect} é encontrada em quatro de cinco testes (${sizes}). Pode ser encontrada antes.`,
  corrected: (count) =>
    `${count} variações são comparadas com a referência: os 95% valem para todas em conjunto (Bonferroni).`,
  otherMetrics: "Métricas de proteção e secundárias",
  otherMetricsHint:
    "Sem correção pela quantidade: a métrica-alvo decide, e uma métrica de proteção pior é motivo para parar.",
  notWorse: "Não se mostrou pior",
  undeclared: "Não declarada na configuração: lida como escolhido aqui.",
  inUnit: (written, unit) => `${written} ${unit}`,
  titleInUnit: (title, unit) => `${title} (${unit})`,
  difference: "Diferença",
  interval: "Intervalo de 95%",
  lift: "Diferença relativa",
  range: (low, high) => `${low} a ${high}`,
  points: (written) => `${written} pontos`,
  reported: (count, all) => `${count} de ${all} pessoas têm um valor`,
  cuped: "Ajustado (CUPED)",
  cupedHint:
    "O que as mesmas pessoas fizeram nos 14 dias anteriores foi descontado, o que deixa os intervalos mais estreitos.",
  always:
    "Os intervalos valem não importa quantas vezes você olhe: nada se perde lendo todos os dias.",
  between: (low, high) => `entre ${low} e ${high}`,
  /** With `between`. */
  better: (arm, between) => `${arm} é melhor: ${between}.`,
  worse: (arm, between) => `${arm} é pior: ${between}.`,
  /** With `range`. */
  notYet: (arm, range) => `${arm} é inconclusiva: o intervalo, ${range}, contém 0.`,
  noData: (arm) =>
    `Ainda não se pode dizer nada sobre ${arm}: menos de 8 pessoas, ou todas têm o mesmo valor.`,
  noBaseline: (baseline) =>
    `Nada pode ser comparado: ninguém tem um valor de ${baseline}, que é a referência.`,
  silent: (metric) => `Ninguém informou ${metric} ainda. O seu serviço informa assim:`,
  unreadableWeights: "Os pesos mudaram dentro da fase: não use estes resultados.",
  unreadableRatio: "Desproporção da amostra: não use estes resultados.",
  unreadableTwice: "Exposições múltiplas: não use estes resultados.",
  readings: {
    better: "Melhor",
    worse: "Pior",
    not_yet: "Inconclusiva",
    no_data: "Sem dados",
    unreadable: "Inválida",
  },
  nobody: "Nenhuma participação ainda",
  nobodyText:
    "Ninguém foi contado até agora. Alguém participa quando o seu aplicativo mostra a variação à pessoa e informa isso:",
  sendClient: "No navegador, o cliente de flags informa sozinho quando a variação é mostrada:",
  sendServer: "Ou informe a partir do seu serviço:",
  sendMetric: "E valores da métrica, sempre que acontecerem:",
  warnings: {
    weights_changed: "Pesos alterados",
    sample_ratio_mismatch: "Desproporção da amostra",
    multiple_exposures: "Exposições múltiplas",
  },
};
