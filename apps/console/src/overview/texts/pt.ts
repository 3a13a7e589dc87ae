import { plural } from "../../language/plural";
import type { OverviewTexts } from "./texts";

export const pt: OverviewTexts = {
  attention: "Pendências",
  nothing: "Não há pendências.",
  draft: (title) => `Rascunho: ${title}`,
  untitled: "Sem título",
  scheduled: (title, date) => `${title} entra em vigor em ${date}`,
  withdrawals: plural("pt", {
    one: "# revogação nos últimos 7 dias",
    other: "# revogações nos últimos 7 dias",
  }),
  approvals: plural("pt", {
    one: "# alteração aguarda aprovação",
    other: "# alterações aguardam aprovação",
  }),
  mismatch: (key) => `${key}: divisão de participantes inesperada`,
  winner: (key) => `${key}: uma variante é melhor`,
  harmed: (key) => `${key}: uma métrica de proteção é pior`,
  stale: plural("pt", { one: "# flag obsoleta", other: "# flags obsoletas" }),
  planned: plural("pt", {
    one: "# alteração agendada nos próximos 7 dias",
    other: "# alterações agendadas nos próximos 7 dias",
  }),
  unsaved: (key) => `${key}: alterações não salvas`,
  noBackup: "Ainda não há backup",
  oldBackup: "O último backup tem mais de 24 horas",
  notVerified: "O registro não foi verificado nas últimas 24 horas",
  logErrors: "A verificação do registro falhou",
  webhook: (url) => `O webhook ${url} está desativado`,
  serviceKey: (name, date) => `A chave de serviço ${name} expira em ${date}`,
  bypassed: plural("pt", {
    one: "# aprovação ignorada nos últimos 30 dias",
    other: "# aprovações ignoradas nos últimos 30 dias",
  }),
  codes: plural("pt", {
    one: "# código não entregue nas últimas 24 horas",
    other: "# códigos não entregues nas últimas 24 horas",
  }),
  discussions: plural("pt", {
    one: "# discussão aberta",
    other: "# discussões abertas",
  }),
  dueSoon: plural("pt", {
    one: "# resposta a um entregador vence nos próximos 4 dias",
    other: "# respostas a entregadores vencem nos próximos 4 dias",
  }),
  overdue: plural("pt", {
    one: "# resposta a um entregador está atrasada",
    other: "# respostas a entregadores estão atrasadas",
  }),
  reviews: plural("pt", {
    one: "# revisão de uma restrição aguarda resposta",
    other: "# revisões de restrições aguardam resposta",
  }),
  find: "Buscar uma pessoa",
  findButton: "Buscar",
  lastPeople: "Pessoas abertas recentemente",
  trend: (points) => `${points} pontos em 30 dias`,
  chart: "Taxa de aceitação, últimos 30 dias",
  running: "Experimentos em andamento",
  participants: plural("pt", { one: "# participante", other: "# participantes" }),
};
