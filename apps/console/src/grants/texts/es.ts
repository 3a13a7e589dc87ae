import type { GrantsTexts } from "./texts";

export const es: GrantsTexts = {
  roles: "Roles",
  hints: {
    viewer: "Lee todo menos los datos personales",
    representative: "Lee textos y cifras, ninguna persona",
    dispatcher: "Registra cómo fue el trabajo",
    reviewer: "Responde a discusiones, decide restricciones",
    support: "Busca personas, termina sesiones, fija su mercado",
    legal: "Términos, cobertura, decisiones, exportaciones y recibos",
    product: "Flags, experimentos y claves de flags",
    operator: "Soporte, legal y producto a la vez",
    admin:
      "Todo; es el único con: roles, claves de servicio, webhooks, reglas de aprobación, borrado",
  },
  onlyIn: (role) => `${role} solo en`,
  marketHint: "Un mercado, como DE; varios separados por comas. Vacío: en todas partes.",
  environmentHint: "Un entorno, como staging; varios separados por comas. Vacío: todos.",
  noMarket: "Esto no es un código de mercado.",
};
