import type { ReachTexts } from "./texts";

export const es: ReachTexts = {
  title: "Alcance",
  addressed: "Destinatarios",
  sent: "Enviados",
  accepted: "Aceptados por un canal",
  bounced: "Rebotados",
  opened: "Abiertos",
  notReachable: "Sin alcanzar",
  served: (percent, served, riders) => `${percent} entregado: ${served} de ${riders} repartidores`,
  servedHint:
    "Entregado: un canal aceptó un mensaje, o el repartidor abrió el aviso. Solo un aviso abierto cuenta como leído.",
  noRiders: "No hay repartidores.",
  unreached: "Repartidores a los que aún no se ha llegado",
  rider: "Repartidor",
  reason: "Motivo",
  reasons: {
    not_contacted: "Aún sin mensaje",
    no_text: "No hay texto en su idioma",
    bounced: "La dirección de correo rebotó",
    restricted_channel: "Dado de baja de los correos",
    no_address: "Sin dirección para los canales",
    failed: "El mensaje falló",
  },
  none: "Se ha llegado a todos los repartidores.",
  shown: (count) => `${count} repartidores mostrados`,
  export: "Exportar como CSV",
  campaigns: "Ver campañas",
  noNotice:
    "Esta página solo existe para los avisos. Cobertura muestra quién ha aceptado este documento.",
};
