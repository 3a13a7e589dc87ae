import type { GrantsTexts } from "./texts";

export const es: GrantsTexts = {
  roles: "Roles",
  hints: {
    viewer: "Ver todo excepto los datos personales",
    representative: "Lee textos y cifras, ninguna persona",
    dispatcher: "Registra cómo fue el trabajo",
    reviewer: "Responde a discusiones, decide restricciones",
    support: "Buscar personas, terminar sesiones, cambiar mercados",
    legal: "Términos, aceptación, decisiones, exportaciones y recibos",
    product: "Gestionar flags, experimentos y claves SDK",
    operator: "Todos los permisos de Soporte, Legal y Producto",
    admin:
      "Todo; es el único con: roles, claves de servicio, webhooks, reglas de aprobación, borrado",
  },
  onlyIn: (role) => `Limitar ${role} a`,
  marketHint:
    "Códigos de mercado como ES, separados por comas. Déjelo vacío para todos los mercados.",
  environmentHint: "Un entorno, como staging; varios separados por comas. Vacío: todos.",
  noMarket: "Introduzca un código de mercado válido, por ejemplo ES o ES-MD.",
};
