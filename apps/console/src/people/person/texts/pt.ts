import { plural } from "../../../language/plural";
import type { Condition, Draw, Test } from "../trace";
import type { PersonTexts } from "./texts";

const flagsOf = plural("pt", { one: "# flag", many: "# de flags", other: "# flags" });

const tests: Readonly<Record<Test, string>> = {
  exists: "foi informado",
  eq: "é",
  ne: "não é",
  in: "é um de",
  not_in: "não é nenhum de",
  contains: "contém",
  not_contains: "não contém",
  starts: "começa com",
  ends: "termina com",
  matches: "corresponde a",
  lt: "é menor que",
  lte: "é no máximo",
  gt: "é maior que",
  gte: "é no mínimo",
  between: "está entre",
  semver_eq: "é a versão",
  semver_lt: "é anterior à versão",
  semver_lte: "é no máximo a versão",
  semver_gt: "é posterior à versão",
  semver_gte: "é no mínimo a versão",
  before: "é antes de",
  after: "é depois de",
  cidr: "está em uma rede de",
  has_any: "tem algum de",
  has_all: "tem todos de",
};

const draws: Readonly<Record<Draw, string>> = {
  named: "é citado individualmente",
  heldOut: "foi sorteado para o holdout",
  covered: "foi sorteado para participar",
  inSlot: "cabe a este entre vários experimentos",
  assigned: "participou antes e mantém a variação",
  notTooOld: "não é de um sorteio que já não conta",
};

function condition(it: Condition): string {
  switch (it.kind) {
    case "test":
      return `${it.attribute} ${tests[it.test]} ${it.than}`.trim();
    case "draw":
      return `${it.attribute} ${draws[it.draw]}`;
    case "share": {
      const percent = it.percent.toLocaleString("pt", {
        style: "percent",
        maximumFractionDigits: 3,
      });
      return `${it.attribute} está entre os ${percent} que isto alcança`;
    }
    case "serves":
      return "A outra flag dá o que se pede dela";
    default:
      return it.text;
  }
}

export const pt: PersonTexts = {
  back: "Todas as pessoas",
  notHere: "Não há ninguém com este ID",
  notHereHint: (userId) =>
    `“${userId}” foi digitado errado ou a pessoa foi apagada. O que uma pessoa apagada aceitou fica no registro, sem dizer quem era.`,
  tabs: {
    label: "Desta pessoa",
    terms: "Termos",
    consents: "Consentimentos",
    sessions: "Sessões",
    flags: "Flags",
    audit: "Auditoria",
    account: "Conta",
  },
  zone: (zone) => `Fuso horário: ${zone}`,

  mayWork: "Pode trabalhar: nada está pendente além da carência",
  mayNotWork: "Não pode trabalhar antes de aceitar",
  market: "Mercado",
  noMarket: "Nenhum mercado: só os termos que valem em toda parte.",
  newMarket: "Novo mercado",
  marketHint:
    "Vazio: nenhum. As decisões sobrevivem a uma mudança de mercado; só se pergunta pelos textos que são novos para a pessoa.",
  saveMarket: "Salvar o mercado",
  marketSaved: "O mercado foi salvo.",
  asOf: "Situação em",
  asOfHint: "O fim desse dia, no seu fuso horário. Vazio: agora.",
  now: "Agora",
  mightWork: "Naquele momento podia trabalhar: nada estava pendente além da carência",
  mightNotWork: "Naquele momento não podia trabalhar antes de aceitar",
  notAddedThen: "Naquele momento ainda não tinha sido adicionado",
  noTermsThen: "Nenhum termo estava em vigor naquele momento.",
  noRider: "Não é entregador: nada lhe é perguntado",
  noTerms: "Nenhum termo está em vigor.",
  noTermsHint: "Publique um em Termos, e os entregadores serão convidados a aceitar.",
  term: "Termo",
  mandatory: "Obrigatório",
  optional: "Opcional",
  version: (version) => `Versão ${version}`,
  state: "Situação",
  states: {
    accepted: "Aceito",
    declined: "Recusado",
    withdrawn: "Revogado",
    outstanding: "Pendente",
    undecided: "Não decidido",
  },
  inherited: (from, to) =>
    `Aceitou a versão ${from}. A versão ${to} é uma mudança menor, por isso esta aceitação é válida.`,
  grace: (until) => `Não impede ninguém até ${until}`,
  when: "Decidido",
  receipt: "Comprovante",
  openReceipt: "Abrir",

  consentsIntro: (zone) => `Todas as decisões, da mais nova à mais antiga. Fuso horário: ${zone}.`,
  noConsents: "Nenhuma decisão ainda.",
  noConsentsHint:
    "Assim que esta pessoa aceitar ou recusar um termo, isso aparece aqui com o comprovante.",

  noSessions: "Não está conectado em nenhum lugar.",
  noSessionsHint: "Cada login aparece aqui com o aparelho.",
  adminSessions: "Este é um administrador. Só administradores veem e encerram as sessões dele.",
  unknownDevice: "Aparelho desconhecido",
  lastUsed: "Último uso",
  signedIn: "Login",
  methods: {
    code: "por código",
    password: "por senha",
    password_otp: "por senha e autenticador",
    oidc: "pelo login da empresa",
    link: "por link de acesso",
    command: "pela linha de comando",
    demo: "em uma demonstração",
  },
  unknownMethod: "método desconhecido",
  end: "Encerrar",
  endTitle: (device) => `Encerrar a sessão em ${device}?`,
  endHint: "A próxima requisição de lá é recusada e pede um novo login.",
  ended: "A sessão foi encerrada.",
  endAll: "Encerrar todas",
  endAllTitle: (userId) => `Encerrar todas as sessões de ${userId}?`,
  endAllHint: "Em cada aparelho a próxima requisição é recusada e pede um novo login.",
  endedAll: "Todas as sessões foram encerradas.",

  flagsIntro:
    "O que um aplicativo recebe para esta pessoa neste momento, e por quê. Olhar não conta em lugar nenhum.",
  noEnvironment: "Ainda não há ambientes.",
  noEnvironmentHint: "As flags são servidas por ambiente, como production ou staging.",
  toEnvironments: "Ir para os ambientes",
  noFlags: "Este ambiente não tem flags.",
  environment: "Ambiente",
  findFlag: "Encontrar uma flag",
  flagsShown: (shown, all) => (shown === all ? flagsOf(all) : `${shown} de ${flagsOf(all)}`),
  attributes: "O que o aplicativo diria da pessoa",
  attributesHint:
    "Os aplicativos enviam atributos com cada consulta; eles não são guardados. Informe os que importam, como uma cidade ou uma versão do aplicativo.",
  attribute: "Atributo",
  attributeValue: "Valor",
  addAttribute: "Adicionar",
  removeAttribute: (name) => `Remover ${name}`,
  on: "Ligada",
  off: "Desligada",
  nothing: "nada",
  variation: "Variação",
  noConditions: "Não há condição: todos recebem isto.",
  therefore: "Portanto:",
  /** By the kind of an explanation, with the name of what decided. */
  reasons: {
    OFF: () => "A flag está desligada",
    OVERRIDE: () => "Esta pessoa é citada individualmente",
    PREREQUISITE_FAILED: (name) => `A flag ${name}, de que esta precisa, não dá o que deveria`,
    HOLDOUT: (name) => `No holdout ${name}`,
    TARGET: (name) => `Pelo alvo ${name}`,
    RULE: (name) => `Pela regra ${name}`,
    ROLLOUT: (name) => `Pelo rollout ${name}`,
    AB_TEST: (name) => `Participa do experimento ${name}`,
    DEFAULT: () => "Nenhuma regra corresponde: o padrão",
    ERROR: () => "Esta flag não pode ser avaliada",
  },
  /** By the kind of a step, with its name. */
  steps: {
    off: () => "Interruptor",
    override: () => "Pessoas citadas",
    prerequisite: (name) => `Precisa da flag ${name}`,
    holdout: (name) => `Holdout ${name}`,
    target: (name) => `Alvo ${name}`,
    rule: (name) => `Regra ${name}`,
    rollout: (name) => `Rollout ${name}`,
    experiment: (name) => `Experimento ${name}`,
    default: () => "Padrão",
  },
  condition,
  met: "verdadeiro",
  notMet: "falso",
  notGiven: "não informado",
  got: (value) => `é ${value}`,

  inAudit: "Abrir na auditoria",
  noAudit: "Nada aconteceu com esta conta.",

  account: "Conta",
  since: "Adicionada",
  password: "Senha do console",
  hasPassword: "Definida",
  noPassword: "Nenhuma",
  adminsOnly: "Papéis e a opção de apagar cabem aos administradores.",
  adminAccount:
    "Este é um administrador. Seus papéis, seus dados e a opção de apagá-lo cabem aos administradores.",
  data: "Uma cópia dos dados da pessoa",
  dataHint:
    "Tudo o que se guarda desta pessoa, em um arquivo para ela: conta, sessões, cada decisão com o comprovante, entradas da auditoria, participação em experimentos. A auditoria anota que foi lido.",
  downloadData: "Baixar",
  downloading: (size) => `${size} até agora…`,
  downloaded: (size) => `Baixado, ${size}`,
  showData: "Mostrar aqui",
  keptParts: {
    person: "Conta",
    sessions: "Sessões que não terminaram",
    terms_shown: "Termos mostrados",
    decisions: "Decisões",
    receipts: "Comprovantes",
    claims: "Envios vinculados",
    audit: "Entradas da auditoria",
    records: "Registro",
  },
  caseFile: "Dossiê",
  caseFileHint:
    "Um arquivo ZIP para um advogado ou um tribunal: cada decisão com comprovante, certificado e prova, e os documentos exatos. A página dele abre sem conexão e confere tudo. A auditoria anota que foi criado.",
  caseFileAsOf: "Situação em (opcional)",
  caseFileAsOfHint: (zone) =>
    `Deixa de fora o que foi registrado depois. Vazio: tudo até agora. Fuso horário: ${zone}.`,
  downloadCaseFile: "Baixar o dossiê",
  rolesTitle: "Papéis",
  saveRoles: "Alterar os papéis",
  discard: "Descartar",
  rolesAsk: (userId) => `Alterar os papéis de ${userId}?`,
  rolesEnd:
    "Todas as sessões da pessoa são encerradas, pois uma sessão leva os papéis com que começou.",
  ownAdmin:
    "Este é você. Você deixa de ser administrador na hora e sai da conta; só outro administrador pode reverter isso.",
  ownRoles: "Este é você: você sai da conta e entra de novo.",
  lastAdmin: "O único administrador. Torne outra pessoa administradora primeiro.",
  rolesSaved: (userId) => `Os papéis de ${userId} foram alterados.`,
  erase: "Apagar esta pessoa",
  goes: "O que vai embora",
  goesHint:
    "Nome, e-mail, telefone, papéis, sessões e a chave com que as entradas do registro poderiam ser ligadas à pessoa. Na hora e para sempre.",
  stays: "O que fica",
  staysHint:
    "Cada decisão no registro, como prova de que foi tomada, mas não por quem. Entradas da auditoria, que citam só uma referência. Backups, até vencerem.",
  notYourself: "Ninguém pode apagar a si mesmo; outro administrador pode.",
  eraseAsk: (userId) => `Apagar ${userId} para sempre?`,
  eraseDo: "Apagar para sempre",
  eraseHint:
    "Não pode ser desfeito. Os comprovantes da pessoa não podem mais ser obtidos; os que ela tem continuam válidos.",
  typeId: (userId) => `Digite ${userId} para confirmar`,
  erased: (userId) => `${userId} foi apagado.`,
};
