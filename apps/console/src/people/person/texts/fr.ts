import { plural } from "../../../language/plural";
import type { Condition, Draw, Test } from "../trace";
import type { PersonTexts } from "./texts";

const flagsOf = plural("fr", { one: "# flag", other: "# flags" });

const tests: Readonly<Record<Test, string>> = {
  exists: "est indiqué",
  eq: "est",
  ne: "n’est pas",
  in: "est l’une des valeurs",
  not_in: "n’est aucune des valeurs",
  contains: "contient",
  not_contains: "ne contient pas",
  starts: "commence par",
  ends: "finit par",
  matches: "correspond à",
  lt: "est inférieur à",
  lte: "est au plus",
  gt: "est supérieur à",
  gte: "est au moins",
  between: "est entre",
  semver_eq: "est la version",
  semver_lt: "précède la version",
  semver_lte: "est au plus la version",
  semver_gt: "suit la version",
  semver_gte: "est au moins la version",
  before: "précède",
  after: "suit",
  cidr: "est dans un des réseaux",
  has_any: "a au moins une des valeurs",
  has_all: "a toutes les valeurs",
};

const draws: Readonly<Record<Draw, string>> = {
  named: "est nommé individuellement",
  heldOut: "a été tiré au sort pour être exclu",
  covered: "a été tiré au sort pour participer",
  inSlot: "revient à cette expérience parmi plusieurs",
  assigned: "a déjà participé et garde sa variation",
  notTooOld: "ne vient pas d’un tirage qui ne compte plus",
};

function condition(it: Condition): string {
  switch (it.kind) {
    case "test":
      return `${it.attribute} ${tests[it.test]} ${it.than}`.trim();
    case "draw":
      return `${it.attribute} ${draws[it.draw]}`;
    case "share": {
      const percent = it.percent.toLocaleString("fr", {
        style: "percent",
        maximumFractionDigits: 3,
      });
      return `${it.attribute} fait partie des ${percent} que ceci atteint`;
    }
    case "serves":
      return "L’autre flag sert ce qui lui est demandé";
    default:
      return it.text;
  }
}

export const fr: PersonTexts = {
  back: "Toutes les personnes",
  notHere: "Personne n’a cet identifiant",
  notHereHint: (userId) =>
    `«\u202f${userId}\u202f» est mal saisi, ou la personne a été effacée. Ce qu’une personne effacée a accepté reste dans le journal, sans dire qui elle était.`,
  tabs: {
    label: "De cette personne",
    terms: "Conditions",
    consents: "Consentements",
    sessions: "Sessions",
    flags: "Flags",
    audit: "Audit",
    account: "Compte",
  },
  zone: (zone) => `Fuseau horaire\u202f: ${zone}`,

  mayWork: "Peut travailler\u202f: rien à accepter au-delà du délai de grâce",
  mayNotWork: "Ne peut pas travailler avant d’avoir accepté",
  market: "Marché",
  noMarket: "Aucun marché\u202f: seulement les conditions qui valent partout.",
  newMarket: "Nouveau marché",
  marketHint:
    "Vide\u202f: aucun. Les décisions survivent au changement\u202f; seuls les textes nouveaux pour la personne lui sont soumis.",
  saveMarket: "Enregistrer le marché",
  marketSaved: "Le marché est enregistré.",
  asOf: "État au",
  asOfHint: "La fin de ce jour, dans votre fuseau horaire. Vide\u202f: maintenant.",
  now: "Maintenant",
  mightWork: "Pouvait alors travailler\u202f: rien à accepter au-delà du délai de grâce",
  mightNotWork: "Ne pouvait alors pas travailler avant d’avoir accepté",
  notAddedThen: "N’était pas encore ajouté à cette date",
  noTermsThen: "Pas de conditions en vigueur à cette date.",
  noRider: "Pas un livreur\u202f: n’est sollicité pour rien",
  noTerms: "Pas de conditions en vigueur.",
  noTermsHint: "Publiez-en sous Conditions, et les livreurs sont invités à les accepter.",
  term: "Conditions",
  mandatory: "Obligatoire",
  optional: "Facultatif",
  version: (version) => `Version ${version}`,
  state: "État",
  states: {
    accepted: "Accepté",
    declined: "Refusé",
    withdrawn: "Retiré",
    outstanding: "À accepter",
    undecided: "Pas décidé",
  },
  inherited: (from, to) =>
    `Version ${from} acceptée. La version ${to} est une modification mineure, cette acceptation reste valable.`,
  grace: (until) => `N’arrête personne jusqu’au ${until}`,
  when: "Décidé",
  receipt: "Reçu",
  openReceipt: "Ouvrir",

  consentsIntro: (zone) =>
    `Toutes les décisions, la plus récente d’abord. Fuseau horaire\u202f: ${zone}.`,
  noConsents: "Aucune décision pour l’instant.",
  noConsentsHint:
    "Dès que cette personne accepte ou refuse des conditions, cela figure ici avec son reçu.",

  noSessions: "Connectée nulle part.",
  noSessionsHint: "Chaque connexion apparaît ici avec son appareil.",
  adminSessions:
    "C’est un administrateur. Seuls les administrateurs voient et ferment ses sessions.",
  unknownDevice: "Appareil inconnu",
  lastUsed: "Dernière utilisation",
  signedIn: "Connexion",
  methods: {
    code: "par code",
    password: "par mot de passe",
    password_otp: "par mot de passe et application d’authentification",
    oidc: "par la connexion de l’entreprise",
    link: "par lien de connexion",
    command: "depuis la ligne de commande",
    demo: "dans une démo",
  },
  unknownMethod: "méthode inconnue",
  end: "Fermer",
  endTitle: (device) => `Fermer la session sur ${device}\u202f?`,
  endHint: "La prochaine requête venant de là est refusée et demande une nouvelle connexion.",
  ended: "La session est fermée.",
  endAll: "Tout fermer",
  endAllTitle: (userId) => `Déconnecter ${userId} partout\u202f?`,
  endAllHint:
    "Sur chaque appareil, la prochaine requête est refusée et demande une nouvelle connexion.",
  endedAll: "Toutes les sessions sont fermées.",

  flagsIntro:
    "Ce qu’une application reçoit pour cette personne en ce moment, et pourquoi. Regarder ne compte nulle part.",
  noEnvironment: "Il n’y a pas encore d’environnement.",
  noEnvironmentHint: "Les flags sont servis par environnement, par exemple production ou staging.",
  toEnvironments: "Aller aux environnements",
  noFlags: "Cet environnement n’a pas de flags.",
  environment: "Environnement",
  findFlag: "Rechercher un flag",
  flagsShown: (shown, all) => (shown === all ? flagsOf(all) : `${shown} sur ${flagsOf(all)}`),
  attributes: "Ce que l’application dirait de la personne",
  attributesHint:
    "Les applications transmettent des attributs avec chaque demande\u202f; ils ne sont pas conservés. Indiquez ceux qui comptent, par exemple une ville ou une version de l’application.",
  attribute: "Attribut",
  attributeValue: "Valeur",
  addAttribute: "Ajouter",
  removeAttribute: (name) => `Retirer ${name}`,
  on: "Activé",
  off: "Désactivé",
  nothing: "rien",
  variation: "Variation",
  noConditions: "Il n’y a aucun critère\u202f: tout le monde reçoit ceci.",
  therefore: "Donc\u202f:",
  reasons: {
    OFF: () => "Le flag est désactivé",
    OVERRIDE: () => "Cette personne est nommée individuellement",
    PREREQUISITE_FAILED: (name) =>
      `Le flag ${name}, dont celui-ci dépend, ne sert pas ce qu’il faudrait`,
    HOLDOUT: (name) => `Exclu par ${name}`,
    TARGET: (name) => `Par la cible ${name}`,
    RULE: (name) => `Par la règle ${name}`,
    ROLLOUT: (name) => `Par le déploiement progressif ${name}`,
    AB_TEST: (name) => `Participe à l’expérience ${name}`,
    DEFAULT: () => "Aucune règle ne convient\u202f: valeur par défaut",
    ERROR: () => "Ce flag ne peut pas être évalué",
  },
  steps: {
    off: () => "Interrupteur",
    override: () => "Personnes nommées",
    prerequisite: (name) => `Dépend du flag ${name}`,
    holdout: (name) => `Groupe exclu ${name}`,
    target: (name) => `Cible ${name}`,
    rule: (name) => `Règle ${name}`,
    rollout: (name) => `Déploiement progressif ${name}`,
    experiment: (name) => `Expérience ${name}`,
    default: () => "Valeur par défaut",
  },
  condition,
  met: "rempli",
  notMet: "non rempli",
  notGiven: "non indiqué",
  got: (value) => `est ${value}`,

  inAudit: "Ouvrir dans le journal d’audit",
  noAudit: "Rien n’est arrivé à ce compte.",

  account: "Compte",
  since: "Ajout",
  password: "Mot de passe pour la console",
  hasPassword: "Défini",
  noPassword: "Aucun",
  adminsOnly: "Les rôles et l’effacement relèvent des administrateurs.",
  adminAccount:
    "C’est un administrateur. Ses rôles, ses données et son effacement relèvent des administrateurs.",
  data: "Une copie de ses données",
  dataHint:
    "Tout ce qui est conservé de cette personne, en un fichier pour elle\u202f: compte, sessions, chaque décision avec son reçu, entrées d’audit, participation aux expériences. Le journal d’audit note que cela a été lu.",
  downloadData: "Télécharger",
  downloading: (size) => `${size} à ce stade…`,
  downloaded: (size) => `Téléchargé, ${size}`,
  showData: "L’afficher ici",
  keptParts: {
    person: "Compte",
    sessions: "Sessions non terminées",
    terms_shown: "Conditions présentées",
    decisions: "Décisions",
    receipts: "Reçus",
    claims: "Envois rattachés",
    audit: "Entrées d’audit",
    records: "Enregistrement",
  },
  caseFile: "Dossier de preuve",
  caseFileHint:
    "Un fichier ZIP pour un avocat ou un tribunal\u202f: chaque décision avec son reçu, son certificat et sa preuve, et les documents exacts. Sa page s’ouvre hors ligne et vérifie le tout. Le journal d’audit note qu’il a été créé.",
  caseFileAsOf: "État au (facultatif)",
  caseFileAsOfHint: (zone) =>
    `Laisse de côté ce qui a été enregistré plus tard. Vide\u202f: tout jusqu’à maintenant. Fuseau horaire\u202f: ${zone}.`,
  downloadCaseFile: "Télécharger le dossier de preuve",
  rolesTitle: "Rôles",
  saveRoles: "Modifier les rôles",
  discard: "Abandonner",
  rolesAsk: (userId) => `Modifier les rôles de ${userId}\u202f?`,
  rolesEnd:
    "Toutes ses sessions se terminent, car une session porte les rôles avec lesquels elle a commencé.",
  ownAdmin:
    "C’est vous. Vous cessez aussitôt d’être administrateur et êtes déconnecté\u202f; seul un autre administrateur peut revenir là-dessus.",
  ownRoles: "C’est vous\u202f: vous êtes déconnecté, puis vous vous reconnectez.",
  lastAdmin: "Le seul administrateur. Donnez d’abord ce rôle à quelqu’un d’autre.",
  rolesSaved: (userId) => `Les rôles de ${userId} sont modifiés.`,
  erase: "Effacer cette personne",
  goes: "Ce qui part",
  goesHint:
    "Nom, e-mail, téléphone, rôles, sessions, et la clé par laquelle les entrées du journal pourraient être rapportées à cette personne. Aussitôt, et pour toujours.",
  stays: "Ce qui reste",
  staysHint:
    "Chaque décision dans le journal, comme preuve qu’elle a été prise, mais non par qui. Les entrées d’audit, qui ne citent qu’une référence. Les sauvegardes, jusqu’à leur expiration.",
  notYourself: "Personne ne peut s’effacer soi-même\u202f; un autre administrateur le peut.",
  eraseAsk: (userId) => `Effacer ${userId} pour toujours\u202f?`,
  eraseDo: "Effacer pour toujours",
  eraseHint:
    "C’est définitif. Ses reçus ne peuvent plus être récupérés\u202f; ceux que la personne détient restent valables.",
  typeId: (userId) => `Saisissez ${userId} pour confirmer`,
  erased: (userId) => `${userId}\u202f: personne effacée.`,
};
