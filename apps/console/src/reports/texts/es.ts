import type { ReportsTexts } from "./texts";

export const es: ReportsTexts = {
  title: "Informe de decisiones",
  intro:
    "Evaluaciones, impugnaciones y restricciones por mes y mercado. No contiene datos de personas.",
  rule: "Un recuento inferior a 10 se muestra como <10. Se oculta todo total que lo revelaría. Los meses están en UTC.",
  from: "Desde",
  to: "Hasta",
  market: "Mercado",
  allMarkets: "Todos los mercados",
  everywhere: "Todos los mercados",
  month: "Mes y mercado",
  evaluations: "Evaluaciones",
  contests: "Impugnaciones",
  restrictions: "Restricciones",
  reviews: "Revisiones de restricciones",
  total: "Total",
  contested: "Impugnadas",
  overturned: "Cambiadas a favor del repartidor",
  median: "Mediana del tiempo de respuesta",
  p90: "Percentil 90",
  hours: (hours) => `${hours} h`,
  outcomes: {
    open: "Abiertas",
    upheld: "Mantenidas",
    changed: "Acortadas",
    lifted: "Levantadas",
  },
  suppressed: "oculto",
  nothing: "El informe no contiene este mercado.",
  shown: (count) => `${count} filas`,
  home: {
    title: "Qué puede leer",
    terms: "Textos vigentes y futuros, con sus diferencias",
    systems: "Programas que supervisan a los repartidores o deciden sobre ellos",
    report: "Recuentos por mes y mercado",
  },
};
