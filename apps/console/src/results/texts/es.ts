import { plural } from "../../language/plural";
import type { ResultsTexts } from "./texts";

export const es: ResultsTexts = {
  people: "Personas",
  peopleHint: (unit) =>
    `Contadas una vez cada una, por ${unit}, cuando encontraron su variación por primera vez.`,
  arm: "Variación",
  count: "Personas",
  share: "Proporción",
  expected: "Esperado",
  all: (count) => `${count} personas en total`,
  noWeight: "ya no tiene peso",
  ratioGood: (p) => `Llegaron en la proporción de los pesos (${p}).`,
  ratioEarly: "Todavía muy pocas para saber si llegan en la proporción de los pesos.",
  weightsOff: "Los pesos cambiaron dentro de la fase: no use estos resultados",
  weightsOffText:
    "Los pesos de las variaciones cambiaron durante esta fase. Las personas de antes y de después del cambio están mezcladas, así que no se puede comprobar la proporción y ninguna diferencia de abajo es fiable. Comience una fase nueva.",
  ratioOff: "Desproporción de la muestra: no use estos resultados",
  ratioOffText: (p) =>
    `Las personas no llegaron en la proporción de los pesos. Por azar eso no ocurriría casi nunca (${p}). Algunas se perdieron por el camino en una sola variación, así que ninguna diferencia de abajo es fiable.`,
  ratioCauses: [
    "Una variación comunica la participación más tarde, y hay quien se va antes.",
    "El aviso depende de algo que solo tiene una variación, como una pantalla que se abre.",
    "Los pesos cambiaron durante esta fase: comience una fase nueva después de un cambio así.",
  ],
  twice: (count, share) =>
    `Se vio a ${count} personas (${share}) en más de una variación; no cuentan en ninguna.`,
  twiceOff: "Exposiciones múltiples: no use estos resultados",
  twiceOffText: (count, share) =>
    `${count} personas (${share}) encontraron más de una variación. Casi siempre la unidad no es estable: un ID que cambia con el dispositivo, o pesos cambiados sin una fase nueva.`,
  asOf: (time) => `Situación a las ${time}. Se actualiza cada 30 segundos.`,
  updating: "Actualizando…",
  since: (from, to) => `Primera participación: ${from}; última: ${to}.`,
  metric: "Resultados de la métrica",
  metricHint: "Valores desde la primera participación de cada persona.",
  metricField: "Métrica",
  metricNone: "Elija una métrica",
  metricNoneHint: "Aquí no hay métrica objetivo. Elija una que comunique su servicio.",
  show: "Mostrar",
  goal: "Objetivo",
  goals: { higher: "mayor", lower: "menor" },
  measure: "Medida como",
  measures: { mean: "media por persona", proportion: "proporción de personas" },
  phase: "Fase",
  phaseName: (phase) => `Fase ${phase}`,
  phaseNow: (phase) => `Fase ${phase} (ahora)`,
  baseline: "referencia",
  roles: { goal: "Métrica objetivo", guardrail: "Protección", secondary: "Secundaria" },
  directions: { increase: "Cuanto mayor, mejor", decrease: "Cuanto menor, mejor" },
  kinds: {
    sum: "Suma por persona",
    conversion: "Proporción de personas",
    mean: "Media de los valores",
    ratio: "Razón entre dos métricas",
  },
  columns: {
    sum: "Media por persona",
    conversion: "Proporción",
    mean: "Media",
    ratio: "Razón",
  },
  overTime: "A lo largo del tiempo",
  overTimeHint:
    "La diferencia al final de cada día (UTC), con el intervalo que era válido ese día. Las personas que encontraron varias variaciones no cuentan en ninguna.",
  day: "Día",
  asTable: (arm) => `${arm} como tabla`,
  daysToGo: plural("es", {
    one: "Falta aproximadamente # día.",
    many: "Faltan aproximadamente # de días.",
    other: "Faltan aproximadamente # días.",
  }),
  enoughPeople: "Ya han participado suficientes personas.",
  enoughHint: (effect) =>
    `Un cambio del ${effect} ya se habría detectado en cuatro de cada cinco pruebas. Si lo hay, probablemente es menor.`,
  nobodyComes: "No ha llegado nadie nuevo en la última semana.",
  neededSoFar: (units, needed) => `${units} de ${needed} personas hasta ahora`,
  remainingHint: (effect, sizes) =>
    `Para entonces, un cambio del ${effect} se detecta en cuatro de cada cinco pruebas (${sizes}). Puede detectarse antes.`,
  corrected: (count) =>
    `${count} variaciones se comparan con la referencia: el 95\u00a0% vale para todas en conjunto (Bonferroni).`,
  otherMetrics: "Métricas de protección y secundarias",
  otherMetricsHint:
    "Sin corrección por su cantidad: decide la métrica objetivo, y una métrica de protección que empeora es motivo para detener.",
  notWorse: "Sin demostrar que sea peor",
  undeclared: "No declarada en la configuración: se lee como se ha elegido aquí.",
  inUnit: (written, unit) => `${written} ${unit}`,
  titleInUnit: (title, unit) => `${title} (${unit})`,
  difference: "Diferencia",
  interval: "Intervalo del 95\u00a0%",
  lift: "Mejora relativa",
  range: (low, high) => `${low} a ${high}`,
  points: (written) => `${written} puntos`,
  reported: (count, all) => `${count} de ${all} personas tienen un valor`,
  cuped: "Ajustado (CUPED)",
  cupedHint:
    "Se ha descontado lo que las mismas personas hicieron en los 14 días anteriores, lo que estrecha los intervalos.",
  always:
    "Los intervalos son válidos por muchas veces que los mire: no se pierde nada leyéndolos a diario.",
  between: (low, high) => `entre ${low} y ${high}`,
  /** With `between`. */
  better: (arm, between) => `${arm} es mejor: ${between}.`,
  worse: (arm, between) => `${arm} es peor: ${between}.`,
  /** With `range`. */
  notYet: (arm, range) => `${arm} no es concluyente: el intervalo, ${range}, contiene 0.`,
  noData: (arm) =>
    `Todavía no se puede decir nada de ${arm}: menos de 8 personas, o todas tienen el mismo valor.`,
  noBaseline: (baseline) =>
    `No se puede comparar nada: nadie tiene un valor de ${baseline}, que es la referencia.`,
  silent: (metric) => `Nadie ha comunicado ${metric} todavía. Su servicio la comunica así:`,
  unreadableWeights: "Los pesos cambiaron dentro de la fase: no use estos resultados.",
  unreadableRatio: "Desproporción de la muestra: no use estos resultados.",
  unreadableTwice: "Exposiciones múltiples: no use estos resultados.",
  readings: {
    better: "Mejor",
    worse: "Peor",
    not_yet: "No concluyente",
    no_data: "Sin datos",
    unreadable: "No válida",
  },
  nobody: "Todavía no hay participación",
  nobodyText:
    "Hasta ahora no se ha contado a nadie. Alguien participa cuando su aplicación le muestra su variación y lo comunica:",
  sendClient:
    "En el navegador, el cliente de flags lo comunica por sí solo cuando se muestra la variación:",
  sendServer: "O comuníquelo desde su servicio:",
  sendMetric: "Y los valores de la métrica, siempre que se produzcan:",
  warnings: {
    weights_changed: "Los pesos cambiaron",
    sample_ratio_mismatch: "Desproporción de la muestra",
    multiple_exposures: "Exposiciones múltiples",
  },
};
