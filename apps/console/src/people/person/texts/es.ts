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
  inSlot: "está en la parte de la capa de este experimento",
  assigned: "conserva la variación asignada antes",
  notTooOld: "se asignó en la fase actual",
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
  notHere: "Ninguna persona tiene este ID",
  notHereHint: (userId) =>
    `Compruebe el ID «${userId}», o la persona se ha borrado. El registro conserva las decisiones de las personas borradas sin sus nombres.`,
  tabs: {
    label: "Páginas de la persona",
    terms: "Términos",
    consents: "Consentimientos",
    sessions: "Sesiones",
    flags: "Flags",
    audit: "Auditoría",
    account: "Cuenta",
  },
  zone: (zone) => `Horas en ${zone}`,

  mayWork: "Puede trabajar",
  mayNotWork: "Bloqueado: hay documentos obligatorios sin aceptar",
  market: "Mercado",
  noMarket: "Sin mercado (solo documentos para todos los mercados)",
  newMarket: "Mercado",
  marketHint:
    "Déjelo vacío para ningún mercado. Las decisiones anteriores se conservan. Solo se piden a la persona los documentos que son nuevos para ella.",
  saveMarket: "Guardar mercado",
  marketSaved: "Mercado guardado",
  asOf: "Con fecha de",
  asOfHint:
    "Muestra el final de ese día en su zona horaria. Déjelo vacío para ver el estado actual.",
  now: "Ahora",
  mightWork: "Podía trabajar en esta fecha",
  mightNotWork: "Bloqueado en esta fecha: había documentos obligatorios sin aceptar",
  notAddedThen: "Todavía no añadida en esta fecha",
  noTermsThen: "Entonces no había términos en vigor.",
  noRider: "No es repartidor. No se requieren documentos.",
  noTerms: "No hay términos en vigor.",
  noTermsHint: "Publique unos en Términos, y se pedirá a los repartidores que los acepten.",
  term: "Términos",
  mandatory: "Obligatorio",
  optional: "Opcional",
  version: (version) => `Versión ${version}`,
  state: "Estado",
  states: {
    accepted: "Aceptado",
    declined: "Rechazado",
    withdrawn: "Retirado",
    outstanding: "Pendiente",
    undecided: "Sin decisión",
  },
  inherited: (from, to) =>
    `Aceptó la versión ${from}. La versión ${to} es un cambio menor, por lo que esta aceptación es válida.`,
  grace: (until) => `Periodo de gracia hasta: ${until}`,
  when: "Decidido",
  receipt: "Recibo",
  openReceipt: "Abrir recibo",

  consentsIntro: (zone) => `Todas las decisiones, la más reciente primero. Horas en ${zone}.`,
  noConsents: "Todavía no hay ninguna decisión.",
  noConsentsHint: "Las decisiones de esta persona aparecen aquí con sus recibos.",

  noSessions: "No hay sesiones activas",
  noSessionsHint:
    "Aquí aparecen los dispositivos en los que esta persona tiene la sesión iniciada.",
  adminSessions:
    "Esta persona es administrador. Solo los administradores pueden ver y terminar estas sesiones.",
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
  end: "Terminar sesión",
  endTitle: (device) => `¿Terminar la sesión en ${device}?`,
  endHint: "La persona debe iniciar sesión de nuevo en este dispositivo.",
  ended: "La sesión ha terminado.",
  endAll: "Terminar todas las sesiones",
  endAllTitle: (userId) => `¿Cerrar la sesión de ${userId} en todos los dispositivos?`,
  endAllHint:
    "En todos los dispositivos, la siguiente petición se rechaza y pide iniciar sesión de nuevo.",
  endedAll: "Todas las sesiones han terminado.",

  flagsIntro:
    "Variaciones que recibe ahora esta persona y el motivo. Esta vista previa no se cuenta en los experimentos.",
  noEnvironment: "Todavía no hay ningún entorno.",
  noEnvironmentHint: "Las flags se sirven por entorno, como production o staging.",
  toEnvironments: "A los entornos",
  noFlags: "Este entorno no tiene flags.",
  environment: "Entorno",
  findFlag: "Buscar una flag",
  flagsShown: (shown, all) => (shown === all ? flagsOf(all) : `${shown} de ${flagsOf(all)}`),
  attributes: "Atributos",
  attributesHint:
    "Las aplicaciones envían atributos con cada evaluación. Musette no los guarda. Introduzca los atributos que usan sus reglas, por ejemplo la ciudad o la versión de la aplicación.",
  attribute: "Atributo",
  attributeValue: "Valor",
  addAttribute: "Añadir",
  removeAttribute: (name) => `Quitar ${name}`,
  on: "Activada",
  off: "Desactivada",
  nothing: "ninguno",
  variation: "Variación",
  noConditions: "Sin condiciones: se aplica a todas las personas",
  therefore: "Resultado:",
  reasons: {
    OFF: () => "La flag está desactivada",
    OVERRIDE: () => "Segmentación individual",
    PREREQUISITE_FAILED: (name) => `Requisito previo ${name} no cumplido`,
    HOLDOUT: (name) => `Holdout ${name}`,
    TARGET: (name) => `Por el destino ${name}`,
    RULE: (name) => `Se cumple la regla ${name}`,
    ROLLOUT: (name) => `Por el despliegue ${name}`,
    AB_TEST: (name) => `Experimento ${name}`,
    DEFAULT: () => "No se cumple ninguna regla: variación predeterminada",
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
  met: "Coincide",
  notMet: "No coincide",
  notGiven: "Sin definir",
  got: (value) => `es ${value}`,

  inAudit: "Abrir en el registro de auditoría",
  noAudit: "A esta cuenta no le ha pasado nada.",

  account: "Cuenta",
  since: "Añadida",
  password: "Contraseña para la consola",
  hasPassword: "Fijada",
  noPassword: "Ninguna",
  adminsOnly: "Solo los administradores pueden cambiar roles y borrar personas.",
  adminAccount:
    "Esta persona es administrador. Solo los administradores pueden gestionar esta cuenta.",
  data: "Exportación de datos personales",
  dataHint:
    "Todo lo que se guarda de esta persona, como archivo para ella: cuenta, sesiones, cada decisión con su recibo, entradas de auditoría, participación en experimentos. El registro de auditoría anota que se leyó.",
  downloadData: "Descargar datos",
  downloading: (size) => `${size} hasta ahora…`,
  downloaded: (size) => `Descargado, ${size}`,
  showData: "Mostrar datos",
  keptParts: {
    person: "Cuenta",
    sessions: "Sesiones que no han terminado",
    terms_shown: "Términos mostrados",
    decisions: "Decisiones",
    receipts: "Recibos",
    claims: "Decisiones anteriores a la cuenta, vinculadas",
    audit: "Entradas de auditoría",
    records: "Datos de experimentos",
  },
  caseFile: "Expediente",
  caseFileHint:
    "Un archivo ZIP para un abogado o un tribunal: cada decisión con su recibo, certificado y prueba, y los documentos exactos. Su página se abre sin conexión y lo comprueba todo. El registro de auditoría anota que se creó.",
  caseFileAsOf: "Con fecha de (opcional)",
  caseFileAsOfHint: (zone) =>
    `Omite lo que se registró después. Vacío: todo hasta ahora. Horas en ${zone}.`,
  downloadCaseFile: "Descargar el expediente",
  rolesTitle: "Roles",
  saveRoles: "Guardar los roles",
  discard: "Descartar",
  rolesAsk: (userId) => `¿Cambiar los roles de ${userId}?`,
  rolesEnd: "Terminarán todas las sesiones de este usuario.",
  ownAdmin:
    "Esta es su cuenta. Perderá el rol de administrador y se cerrará su sesión. Solo otro administrador puede devolvérselo.",
  ownRoles: "Es usted: se cierra su sesión y tiene que iniciarla de nuevo.",
  lastAdmin: "Es el único administrador. Añada antes otro.",
  rolesSaved: (userId) => `Los roles de ${userId} han cambiado.`,
  erase: "Borrar persona",
  goes: "Datos que se eliminan",
  goesHint:
    "Nombre, dirección de correo, número de teléfono, roles, sesiones y la clave que vincula las entradas del registro con esta persona.",
  stays: "Datos que se conservan",
  staysHint:
    "Decisiones en el registro, sin vínculo con la persona. Entradas de auditoría, con una referencia anónima. Copias de seguridad, hasta que caducan.",
  notYourself: "No puede borrar su propia cuenta. Pídalo a otro administrador.",
  eraseAsk: (userId) => `¿Borrar a ${userId}?`,
  eraseDo: "Borrar persona",
  eraseHint:
    "Esto no se puede deshacer. Los recibos ya no se pueden descargar. Las copias que tiene la persona siguen siendo válidas.",
  typeId: (userId) => `Escriba ${userId} para confirmar`,
  erased: (userId) => `${userId} se ha borrado.`,
};
