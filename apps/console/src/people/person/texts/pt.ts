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
  inSlot: "está na parte da camada deste experimento",
  assigned: "mantém a variação atribuída antes",
  notTooOld: "foi atribuída na fase atual",
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
  notHere: "Nenhuma pessoa tem este ID",
  notHereHint: (userId) =>
    `Confira o ID “${userId}”, ou a pessoa foi apagada. O registro mantém as decisões das pessoas apagadas sem os nomes.`,
  tabs: {
    label: "Páginas da pessoa",
    terms: "Termos",
    consents: "Consentimentos",
    sessions: "Sessões",
    flags: "Flags",
    audit: "Auditoria",
    account: "Conta",
  },
  zone: (zone) => `Fuso horário: ${zone}`,

  mayWork: "Pode trabalhar",
  mayNotWork: "Bloqueado: há documentos obrigatórios não aceitos",
  market: "Mercado",
  noMarket: "Sem mercado (apenas documentos para todos os mercados)",
  newMarket: "Mercado",
  marketHint:
    "Deixe vazio para nenhum mercado. As decisões anteriores são mantidas. A pessoa só é consultada sobre documentos novos para ela.",
  saveMarket: "Salvar mercado",
  marketSaved: "Mercado salvo",
  asOf: "Situação em",
  asOfHint: "Mostra o fim desse dia no seu fuso horário. Deixe vazio para o estado atual.",
  now: "Agora",
  mightWork: "Podia trabalhar nesta data",
  mightNotWork: "Bloqueado nesta data: havia documentos obrigatórios não aceitos",
  notAddedThen: "Ainda não adicionada nesta data",
  noTermsThen: "Nenhum termo estava em vigor naquele momento.",
  noRider: "Não é entregador. Nenhum documento é exigido.",
  noTerms: "Nenhum termo está em vigor.",
  noTermsHint: "Publique um em Termos, e os entregadores serão convidados a aceitar.",
  term: "Termo",
  mandatory: "Obrigatório",
  optional: "Opcional",
  version: (version) => `Versão ${version}`,
  state: "Status",
  states: {
    accepted: "Aceito",
    declined: "Recusado",
    withdrawn: "Revogado",
    outstanding: "Pendente",
    undecided: "Sem decisão",
  },
  inherited: (from, to) =>
    `Aceitou a versão ${from}. A versão ${to} é uma mudança menor, por isso esta aceitação é válida.`,
  grace: (until) => `Período de carência até ${until}`,
  when: "Decidido",
  receipt: "Comprovante",
  openReceipt: "Abrir comprovante",

  consentsIntro: (zone) => `Todas as decisões, as mais recentes primeiro. Fuso horário: ${zone}.`,
  noConsents: "Nenhuma decisão ainda.",
  noConsentsHint: "As decisões desta pessoa aparecem aqui com os comprovantes.",

  noSessions: "Nenhuma sessão ativa",
  noSessionsHint: "Os dispositivos em que esta pessoa está conectada aparecem aqui.",
  adminSessions:
    "Esta pessoa é administradora. Só administradores podem ver e encerrar estas sessões.",
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
  end: "Encerrar sessão",
  endTitle: (device) => `Encerrar a sessão em ${device}?`,
  endHint: "A pessoa precisa entrar de novo neste dispositivo.",
  ended: "A sessão foi encerrada.",
  endAll: "Encerrar todas as sessões",
  endAllTitle: (userId) => `Desconectar ${userId} de todos os dispositivos?`,
  endAllHint: "Em cada aparelho a próxima requisição é recusada e pede um novo login.",
  endedAll: "Todas as sessões foram encerradas.",

  flagsIntro:
    "Variações que esta pessoa recebe agora, e o motivo. Esta prévia não é contada nos experimentos.",
  noEnvironment: "Ainda não há ambientes.",
  noEnvironmentHint: "As flags são servidas por ambiente, como production ou staging.",
  toEnvironments: "Ir para os ambientes",
  noFlags: "Este ambiente não tem flags.",
  environment: "Ambiente",
  findFlag: "Encontrar uma flag",
  flagsShown: (shown, all) => (shown === all ? flagsOf(all) : `${shown} de ${flagsOf(all)}`),
  attributes: "Atributos",
  attributesHint:
    "Os aplicativos enviam atributos a cada avaliação. O Musette não os armazena. Informe os atributos que as suas regras usam, como cidade ou versão do aplicativo.",
  attribute: "Atributo",
  attributeValue: "Valor",
  addAttribute: "Adicionar",
  removeAttribute: (name) => `Remover ${name}`,
  on: "Ligada",
  off: "Desligada",
  nothing: "nenhum",
  variation: "Variação",
  noConditions: "Sem condições: vale para todas as pessoas",
  therefore: "Resultado:",
  /** By the kind of an explanation, with the name of what decided. */
  reasons: {
    OFF: () => "A flag está desligada",
    OVERRIDE: () => "Direcionamento individual",
    PREREQUISITE_FAILED: (name) => `Pré-requisito ${name} não atendido`,
    HOLDOUT: (name) => `Holdout ${name}`,
    TARGET: (name) => `Pelo alvo ${name}`,
    RULE: (name) => `Regra ${name} correspondida`,
    ROLLOUT: (name) => `Pelo rollout ${name}`,
    AB_TEST: (name) => `Experimento ${name}`,
    DEFAULT: () => "Nenhuma regra correspondeu: variação padrão",
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
  met: "Corresponde",
  notMet: "Não corresponde",
  notGiven: "Não definido",
  got: (value) => `é ${value}`,

  inAudit: "Abrir no registro de auditoria",
  noAudit: "Nada aconteceu com esta conta.",

  account: "Conta",
  since: "Adicionada",
  password: "Senha do console",
  hasPassword: "Definida",
  noPassword: "Nenhuma",
  adminsOnly: "Só administradores podem alterar papéis e apagar pessoas.",
  adminAccount: "Esta pessoa é administradora. Só administradores podem gerenciar esta conta.",
  data: "Exportação de dados pessoais",
  dataHint:
    "Tudo o que se guarda desta pessoa, em um arquivo para ela: conta, sessões, cada decisão com o comprovante, entradas de auditoria, participação em experimentos. O registro de auditoria anota que foi lido.",
  downloadData: "Baixar dados",
  downloading: (size) => `${size} até agora…`,
  downloaded: (size) => `Baixado, ${size}`,
  showData: "Mostrar dados",
  keptParts: {
    person: "Conta",
    sessions: "Sessões que não terminaram",
    terms_shown: "Termos mostrados",
    decisions: "Decisões",
    receipts: "Comprovantes",
    claims: "Decisões de antes da conta, vinculadas",
    audit: "Entradas de auditoria",
    records: "Dados de experimentos",
  },
  caseFile: "Dossiê",
  caseFileHint:
    "Um arquivo ZIP para um advogado ou um tribunal: cada decisão com comprovante, certificado e prova, e os documentos exatos. A página dele abre sem conexão e confere tudo. O registro de auditoria anota que foi criado.",
  caseFileAsOf: "Situação em (opcional)",
  caseFileAsOfHint: (zone) =>
    `Deixa de fora o que foi registrado depois. Vazio: tudo até agora. Fuso horário: ${zone}.`,
  downloadCaseFile: "Baixar dossiê",
  rolesTitle: "Papéis",
  saveRoles: "Salvar papéis",
  discard: "Descartar",
  rolesAsk: (userId) => `Alterar os papéis de ${userId}?`,
  rolesEnd: "Todas as sessões deste usuário serão encerradas.",
  ownAdmin:
    "Esta é a sua conta. Você perderá o papel de administrador e será desconectado. Só outro administrador pode devolvê-lo.",
  ownRoles: "Este é você: você sai da conta e entra de novo.",
  lastAdmin: "Este é o único administrador. Adicione outro primeiro.",
  rolesSaved: (userId) => `Os papéis de ${userId} foram alterados.`,
  erase: "Apagar pessoa",
  goes: "Dados que são excluídos",
  goesHint:
    "Nome, endereço de e-mail, número de telefone, papéis, sessões e a chave que vincula as entradas do registro a esta pessoa.",
  stays: "Dados que são mantidos",
  staysHint:
    "Decisões no registro, sem vínculo com a pessoa. Entradas de auditoria, com uma referência anônima. Backups, até expirarem.",
  notYourself: "Você não pode apagar a própria conta. Peça a outro administrador.",
  eraseAsk: (userId) => `Apagar ${userId}?`,
  eraseDo: "Apagar pessoa",
  eraseHint:
    "Isso não pode ser desfeito. Os comprovantes não podem mais ser baixados. As cópias que a pessoa tem continuam válidas.",
  typeId: (userId) => `Digite ${userId} para confirmar`,
  erased: (userId) => `${userId} foi apagado.`,
};
