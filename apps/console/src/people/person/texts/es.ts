import { plural } from "../../../language/plural";
import type { Condition, Draw, Test } from "../trace";
import type { PersonTexts } from "./texts";

const flagsOf = plural("es", { one: "# flag", other: "# flags" });

const tests: Readonly<Record<Test, string>> = {
  exists: "está indicado",
  eq: "es",
  ne: "no es",
  in: "es uno de",
  not_in: "no es ninguno de",
  contains: "contiene",
  not_contains: "no contiene",
  starts: "empieza por",
  ends: "termina en",
  matches: "coincide con",
  lt: "es menor que",
  lte: "es como mucho",
  gt: "es mayor que",
  gte: "es como mínimo",
  between: "está entre",
  semver_eq: "es la versión",
  semver_lt: "es anterior a la versión",
  semver_lte: "es como mucho la versión",
  semver_gt: "es posterior a la versión",
  semver_gte: "es como mínimo la versión",
  before: "es antes de",
  after: "es después de",
  cidr: "está en una red de",
  has_any: "tiene alguno de",
  has_all: "tiene todos estos:",
};

const draws: Readonly<Record<Draw, string>> = {
  named: "está nombrado uno a uno",
  heldOut: "salió sorteado para quedar en la reserva",
  covered: "salió sorteado para participar",
  inSlot: "le corresponde este de varios experimentos",
  assigned: "participó antes y conserva la variación",
  notTooOld: "no es de un sorteo que ya no cuenta",
};

function condition(it: Condition): string {
  switch (it.kind) {
    case "test":
      return `${it.attribute} ${tests[it.test]} ${it.than}`.trim();
    case "draw":
      return `${it.attribute} ${draws[it.draw]}`;
    case "share": {
      const percent = it.percent.toLocaleString("es", {
        style: "percent",
        maximumFractionDigits: 3,
      });
      return `${it.attribute} está entre el ${percent} al que esto llega`;
    }
    case "serves":
      return "La otra flag da lo que se le pide";
    default:
      return it.text;
  }
}

export const es: PersonTexts = {
  back: "Todas las personas",
  notHere: "No hay nadie con este ID",
  notHereHint: (userId) =>
    `«${userId}» está mal escrito o se borró. Lo que aceptó una persona borrada sigue en el registro, sin decir quién era.`,
  tabs: {
    label: "De esta persona",
    terms: "Términos",
    consents: "Consentimientos",
    sessions: "Sesiones",
    flags: "Flags",
    audit: "Auditoría",
    account: "Cuenta",
  },
  zone: (zone) => `Horas en ${zone}`,

  mayWork: "Puede trabajar: no hay nada pendiente fuera de plazo",
  mayNotWork: "No puede trabajar antes de aceptar",
  market: "Mercado",
  noMarket: "Sin mercado: solo los términos que valen en todas partes.",
  newMarket: "Nuevo mercado",
  marketHint:
    "Vacío: ninguno. Las decisiones sobreviven a un traslado; solo se piden los textos que le son nuevos.",
  saveMarket: "Guardar el mercado",
  marketSaved: "El mercado está guardado.",
  asOf: "Con fecha de",
  asOfHint: "El final de ese día, en su zona horaria. Vacío: ahora.",
  now: "Ahora",
  mightWork: "Entonces podía trabajar: no había nada pendiente fuera de plazo",
  mightNotWork: "Entonces no podía trabajar antes de aceptar",
  notAddedThen: "Entonces todavía no estaba añadida",
  noTermsThen: "Entonces no había términos en vigor.",
  noRider: "No es repartidor: no se le pide nada",
  noTerms: "No hay términos en vigor.",
  noTermsHint: "Publique unos en Términos, y se pedirá a los repartidores que los acepten.",
  term: "Términos",
  mandatory: "Obligatorio",
  optional: "Opcional",
  version: (version) => `Versión ${version}`,
  state: "Situación",
  states: {
    accepted: "Aceptado",
    declined: "Rechazado",
    withdrawn: "Retirado",
    outstanding: "Pendiente",
    undecided: "Sin decidir",
  },
  inherited: (from, to) =>
    `Aceptó la versión ${from}. La versión ${to} es un cambio menor, por lo que esta aceptación es válida.`,
  grace: (until) => `No bloquea a nadie hasta: ${until}`,
  when: "Decidido",
  receipt: "Recibo",
  openReceipt: "Abrir",

  consentsIntro: (zone) => `Todas las decisiones, la más reciente primero. Horas en ${zone}.`,
  noConsents: "Todavía no hay ninguna decisión.",
  noConsentsHint:
    "En cuanto esta persona acepte o rechace unos términos, aparecerá aquí con su recibo.",

  noSessions: "No tiene la sesión iniciada en ningún sitio.",
  noSessionsHint: "Cada inicio de sesión aparece aquí con su dispositivo.",
  adminSessions: "Es un administrador. Solo los administradores ven y terminan sus sesiones.",
  unknownDevice: "Dispositivo desconocido",
  lastUsed: "Último uso",
  signedIn: "Inicio de sesión",
  methods: {
    code: "con código",
    password: "con contraseña",
    password_otp: "con contraseña y autenticador",
    oidc: "con el acceso de la empresa",
    link: "con enlace de acceso",
    command: "desde la línea de comandos",
    demo: "en una demostración",
  },
  unknownMethod: "método desconocido",
  end: "Terminar",
  endTitle: (device) => `¿Terminar la sesión en ${device}?`,
  endHint: "La siguiente petición desde allí se rechaza y pide iniciar sesión de nuevo.",
  ended: "La sesión ha terminado.",
  endAll: "Terminar todas",
  endAllTitle: (userId) => `¿Cerrar la sesión de ${userId} en todas partes?`,
  endAllHint:
    "En todos los dispositivos, la siguiente petición se rechaza y pide iniciar sesión de nuevo.",
  endedAll: "Todas las sesiones han terminado.",

  flagsIntro:
    "Qué recibe ahora mismo una aplicación para esta persona, y por qué. Mirarlo no cuenta en ningún sitio.",
  noEnvironment: "Todavía no hay ningún entorno.",
  noEnvironmentHint: "Las flags se sirven por entorno, como production o staging.",
  toEnvironments: "A los entornos",
  noFlags: "Este entorno no tiene flags.",
  environment: "Entorno",
  findFlag: "Buscar una flag",
  flagsShown: (shown, all) => (shown === all ? flagsOf(all) : `${shown} de ${flagsOf(all)}`),
  attributes: "Lo que la aplicación diría de esta persona",
  attributesHint:
    "Las aplicaciones envían atributos con cada consulta; no se guardan. Indique los que importan, como una ciudad o una versión de la aplicación.",
  attribute: "Atributo",
  attributeValue: "Valor",
  addAttribute: "Añadir",
  removeAttribute: (name) => `Quitar ${name}`,
  on: "Activada",
  off: "Desactivada",
  nothing: "nada",
  variation: "Variación",
  noConditions: "No hay ninguna condición: todos reciben esto.",
  therefore: "Por tanto:",
  reasons: {
    OFF: () => "La flag está desactivada",
    OVERRIDE: () => "Esta persona está nombrada una a una",
    PREREQUISITE_FAILED: (name) => `La flag ${name}, que esta necesita, no da lo que debería`,
    HOLDOUT: (name) => `En la reserva de ${name}`,
    TARGET: (name) => `Por el destino ${name}`,
    RULE: (name) => `Por la regla ${name}`,
    ROLLOUT: (name) => `Por el despliegue ${name}`,
    AB_TEST: (name) => `Participa en el experimento ${name}`,
    DEFAULT: () => "Ninguna regla encaja: el valor por defecto",
    ERROR: () => "Esta flag no se puede evaluar",
  },
  steps: {
    off: () => "Interruptor",
    override: () => "Personas nombradas",
    prerequisite: (name) => `Necesita la flag ${name}`,
    holdout: (name) => `Holdout ${name}`,
    target: (name) => `Destino ${name}`,
    rule: (name) => `Regla ${name}`,
    rollout: (name) => `Despliegue ${name}`,
    experiment: (name) => `Experimento ${name}`,
    default: () => "Por defecto",
  },
  condition,
  met: "se cumple",
  notMet: "no se cumple",
  notGiven: "no indicado",
  got: (value) => `es ${value}`,

  inAudit: "Abrir en la auditoría",
  noAudit: "A esta cuenta no le ha pasado nada.",

  account: "Cuenta",
  since: "Añadida",
  password: "Contraseña para la consola",
  hasPassword: "Fijada",
  noPassword: "Ninguna",
  adminsOnly: "Los roles y el borrado corresponden a los administradores.",
  adminAccount:
    "Es un administrador. Sus roles, sus datos y su borrado corresponden a los administradores.",
  data: "Una copia de sus datos",
  dataHint:
    "Todo lo que se guarda de esta persona, como archivo para ella: cuenta, sesiones, cada decisión con su recibo, entradas de auditoría, participación en experimentos. La auditoría anota que se leyó.",
  downloadData: "Descargar",
  downloading: (size) => `${size} hasta ahora…`,
  downloaded: (size) => `Descargado, ${size}`,
  showData: "Mostrarlo aquí",
  keptParts: {
    person: "Cuenta",
    sessions: "Sesiones que no han terminado",
    terms_shown: "Términos mostrados",
    decisions: "Decisiones",
    receipts: "Recibos",
    claims: "Envíos asignados",
    audit: "Entradas de auditoría",
    records: "Registro",
  },
  caseFile: "Expediente",
  caseFileHint:
    "Un archivo ZIP para un abogado o un tribunal: cada decisión con su recibo, certificado y prueba, y los documentos exactos. Su página se abre sin conexión y lo comprueba todo. La auditoría anota que se creó.",
  caseFileAsOf: "Con fecha de (opcional)",
  caseFileAsOfHint: (zone) =>
    `Omite lo que se registró después. Vacío: todo hasta ahora. Horas en ${zone}.`,
  downloadCaseFile: "Descargar el expediente",
  rolesTitle: "Roles",
  saveRoles: "Cambiar los roles",
  discard: "Descartar",
  rolesAsk: (userId) => `¿Cambiar los roles de ${userId}?`,
  rolesEnd: "Terminan todas sus sesiones, porque una sesión lleva los roles con los que empezó.",
  ownAdmin:
    "Es usted. Deja de ser administrador al momento y se cierra su sesión; solo otro administrador puede deshacerlo.",
  ownRoles: "Es usted: se cierra su sesión y tiene que iniciarla de nuevo.",
  lastAdmin: "Es el único administrador. Nombre antes a otro.",
  rolesSaved: (userId) => `Los roles de ${userId} han cambiado.`,
  erase: "Borrar a esta persona",
  goes: "Qué desaparece",
  goesHint:
    "Nombre, correo, teléfono, roles, sesiones y la clave con la que las entradas del registro podrían llevar a ella. Al momento y para siempre.",
  stays: "Qué se conserva",
  staysHint:
    "Cada decisión en el registro, como prueba de que se tomó, pero no de quién. Entradas de auditoría, que solo nombran una referencia. Copias de seguridad, hasta que caduquen.",
  notYourself: "Nadie puede borrarse a sí mismo; puede hacerlo otro administrador.",
  eraseAsk: (userId) => `¿Borrar a ${userId} para siempre?`,
  eraseDo: "Borrar para siempre",
  eraseHint:
    "No se puede deshacer. Sus recibos ya no se podrán consultar; los que conserva siguen siendo válidos.",
  typeId: (userId) => `Escriba ${userId} para confirmar`,
  erased: (userId) => `${userId} se ha borrado.`,
};
