import { plural } from "../../language/plural";
import type { OverviewTexts } from "./texts";

export const es: OverviewTexts = {
  attention: "Pendiente",
  nothing: "No hay nada pendiente.",
  draft: (title) => `Borrador: ${title}`,
  untitled: "Sin título",
  scheduled: (title, date) => `${title} entra en vigor el ${date}`,
  withdrawals: plural("es", {
    one: "# retirada en los últimos 7 días",
    other: "# retiradas en los últimos 7 días",
  }),
  approvals: plural("es", {
    one: "# cambio espera aprobación",
    other: "# cambios esperan aprobación",
  }),
  mismatch: (key) => `${key}: reparto de participantes inesperado`,
  winner: (key) => `${key}: una variante es mejor`,
  harmed: (key) => `${key}: una métrica de protección es peor`,
  stale: plural("es", { one: "# flag obsoleto", other: "# flags obsoletos" }),
  planned: plural("es", {
    one: "# cambio programado en los próximos 7 días",
    other: "# cambios programados en los próximos 7 días",
  }),
  unsaved: (key) => `${key}: cambios sin guardar`,
  noBackup: "Todavía no hay copia de seguridad",
  oldBackup: "La última copia de seguridad tiene más de 24 horas",
  notVerified: "El registro no se ha verificado en las últimas 24 horas",
  logErrors: "La verificación del registro ha fallado",
  webhook: (url) => `El webhook ${url} está desactivado`,
  serviceKey: (name, date) => `La clave de servicio ${name} caduca el ${date}`,
  bypassed: plural("es", {
    one: "# aprobación omitida en los últimos 30 días",
    other: "# aprobaciones omitidas en los últimos 30 días",
  }),
  codes: plural("es", {
    one: "# código no entregado en las últimas 24 horas",
    other: "# códigos no entregados en las últimas 24 horas",
  }),
  discussions: plural("es", {
    one: "# discusión abierta",
    other: "# discusiones abiertas",
  }),
  dueSoon: plural("es", {
    one: "# respuesta a un repartidor vence en los próximos 4 días",
    other: "# respuestas a repartidores vencen en los próximos 4 días",
  }),
  overdue: plural("es", {
    one: "# respuesta a un repartidor está vencida",
    other: "# respuestas a repartidores están vencidas",
  }),
  reviews: plural("es", {
    one: "# revisión de una restricción espera respuesta",
    other: "# revisiones de restricciones esperan respuesta",
  }),
  find: "Buscar a una persona",
  findButton: "Buscar",
  lastPeople: "Personas abiertas recientemente",
  trend: (points) => `${points} puntos en 30 días`,
  chart: "Tasa de aceptación, últimos 30 días",
  running: "Experimentos en curso",
  participants: plural("es", { one: "# participante", other: "# participantes" }),
};
