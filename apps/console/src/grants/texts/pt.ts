import type { GrantsTexts } from "./texts";

export const pt: GrantsTexts = {
  roles: "Papéis",
  hints: {
    viewer: "Ver tudo, exceto dados pessoais",
    representative: "Lê textos e números, nenhuma pessoa",
    dispatcher: "Regista como correu o trabalho",
    reviewer: "Responde a discussões, decide restrições",
    support: "Encontrar pessoas, encerrar sessões, alterar mercados",
    legal: "Termos, cobertura, decisões, exportações e comprovantes",
    product: "Gerenciar flags, experimentos e chaves SDK",
    operator: "Todas as permissões de Suporte, Jurídico e Produto",
    admin: "Tudo; só ele: papéis, chaves de serviço, webhooks, regras de aprovação, apagar pessoas",
  },
  onlyIn: (role) => `Limitar ${role} a`,
  marketHint:
    "Códigos de mercado como BR, separados por vírgulas. Deixe vazio para todos os mercados.",
  environmentHint: "Um ambiente, como staging; vários separados por vírgulas. Vazio: todos.",
  noMarket: "Informe um código de mercado válido, como BR ou BR-SP.",
};
