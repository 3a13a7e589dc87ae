import type { GrantsTexts } from "./texts";

export const pt: GrantsTexts = {
  roles: "Papéis",
  hints: {
    viewer: "Lê tudo, menos dados pessoais",
    representative: "Lê textos e números, nenhuma pessoa",
    dispatcher: "Regista como correu o trabalho",
    reviewer: "Responde a discussões, decide restrições",
    support: "Consulta pessoas, encerra sessões, define o mercado delas",
    legal: "Termos, cobertura, decisões, exportações e comprovantes",
    product: "Flags, experimentos e chaves de acesso às flags",
    operator: "Suporte, jurídico e produto juntos",
    admin: "Tudo; só ele: papéis, chaves de serviço, webhooks, regras de aprovação, apagar pessoas",
  },
  onlyIn: (role) => `${role} só em`,
  marketHint: "Um mercado, como DE; vários separados por vírgulas. Vazio: em toda parte.",
  environmentHint: "Um ambiente, como staging; vários separados por vírgulas. Vazio: todos.",
  noMarket: "Isto não é um código de mercado.",
};
