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
  inSlot: "est dans la part de la couche de cette expérience",
  assigned: "garde la variation affectée auparavant",
  notTooOld: "a été affectée dans la phase actuelle",
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
  notHere: "Aucune personne n’a cet identifiant",
  notHereHint: (userId) =>
    `Vérifiez l’identifiant «\u202f${userId}\u202f», ou la personne a été effacée. Le journal conserve les décisions des personnes effacées sans leur nom.`,
  tabs: {
    label: "Pages de la personne",
    terms: "Conditions",
    consents: "Consentements",
    sessions: "Sessions",
    flags: "Flags",
    audit: "Audit",
    account: "Compte",
  },
  zone: (zone) => `Fuseau horaire\u202f: ${zone}`,

  mayWork: "Autorisé à travailler",
  mayNotWork: "Bloqué\u202f: des documents obligatoires ne sont pas acceptés",
  market: "Marché",
  noMarket: "Aucun marché (seulement les documents pour tous les marchés)",
  newMarket: "Marché",
  marketHint:
    "Laissez vide pour aucun marché. Les décisions antérieures sont conservées. La personne n’est sollicitée que pour les documents nouveaux pour elle.",
  saveMarket: "Enregistrer le marché",
  marketSaved: "Marché enregistré",
  asOf: "État au",
  asOfHint: "Affiche la fin de ce jour dans votre fuseau horaire. Laissez vide pour l’état actuel.",
  now: "Maintenant",
  mightWork: "Autorisé à travailler à cette date",
  mightNotWork: "Bloqué à cette date\u202f: des documents obligatoires n’étaient pas acceptés",
  notAddedThen: "Pas encore ajouté à cette date",
  noTermsThen: "Pas de conditions en vigueur à cette date.",
  noRider: "Pas un livreur. Aucun document n’est requis.",
  noTerms: "Pas de conditions en vigueur.",
  noTermsHint: "Publiez-en sous Conditions, et les livreurs sont invités à les accepter.",
  term: "Conditions",
  mandatory: "Obligatoire",
  optional: "Facultatif",
  version: (version) => `Version ${version}`,
  state: "Statut",
  states: {
    accepted: "Accepté",
    declined: "Refusé",
    withdrawn: "Retiré",
    outstanding: "À accepter",
    undecided: "Sans décision",
  },
  inherited: (from, to) =>
    `Version ${from} acceptée. La version ${to} est une modification mineure, cette acceptation reste valable.`,
  grace: (until) => `Délai de grâce jusqu’au ${until}`,
  when: "Décidé",
  receipt: "Reçu",
  openReceipt: "Ouvrir le reçu",

  consentsIntro: (zone) =>
    `Toutes les décisions, les plus récentes d’abord. Fuseau horaire\u202f: ${zone}.`,
  noConsents: "Aucune décision pour l’instant.",
  noConsentsHint: "Les décisions de cette personne apparaissent ici avec leurs reçus.",

  noSessions: "Aucune session active",
  noSessionsHint: "Les appareils sur lesquels cette personne est connectée apparaissent ici.",
  adminSessions:
    "Cette personne est administrateur. Seuls les administrateurs peuvent voir et fermer ces sessions.",
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
  end: "Fermer la session",
  endTitle: (device) => `Fermer la session sur ${device}\u202f?`,
  endHint: "La personne doit se reconnecter sur cet appareil.",
  ended: "La session est fermée.",
  endAll: "Fermer toutes les sessions",
  endAllTitle: (userId) => `Déconnecter ${userId} de tous les appareils\u202f?`,
  endAllHint:
    "Sur chaque appareil, la prochaine requête est refusée et demande une nouvelle connexion.",
  endedAll: "Toutes les sessions sont fermées.",

  flagsIntro:
    "Variations que cette personne reçoit maintenant, et la raison. Cet aperçu n’est pas compté dans les expériences.",
  noEnvironment: "Il n’y a pas encore d’environnement.",
  noEnvironmentHint: "Les flags sont servis par environnement, par exemple production ou staging.",
  toEnvironments: "Aller aux environnements",
  noFlags: "Cet environnement n’a pas de flags.",
  environment: "Environnement",
  findFlag: "Rechercher un flag",
  flagsShown: (shown, all) => (shown === all ? flagsOf(all) : `${shown} sur ${flagsOf(all)}`),
  attributes: "Attributs",
  attributesHint:
    "Les applications envoient des attributs à chaque évaluation. Musette ne les conserve pas. Saisissez les attributs que vos règles utilisent, par exemple la ville ou la version de l’application.",
  attribute: "Attribut",
  attributeValue: "Valeur",
  addAttribute: "Ajouter",
  removeAttribute: (name) => `Retirer ${name}`,
  on: "Activé",
  off: "Désactivé",
  nothing: "aucun",
  variation: "Variation",
  noConditions: "Aucun critère\u202f: s’applique à toutes les personnes",
  therefore: "Résultat\u202f:",
  reasons: {
    OFF: () => "Flag désactivé",
    OVERRIDE: () => "Ciblage individuel",
    PREREQUISITE_FAILED: (name) => `Prérequis ${name} non rempli`,
    HOLDOUT: (name) => `Groupe exclu ${name}`,
    TARGET: (name) => `Par la cible ${name}`,
    RULE: (name) => `Règle ${name} remplie`,
    ROLLOUT: (name) => `Par le déploiement progressif ${name}`,
    AB_TEST: (name) => `Expérience ${name}`,
    DEFAULT: () => "Aucune règle ne correspond\u202f: variation par défaut",
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
  met: "Correspond",
  notMet: "Ne correspond pas",
  notGiven: "Non défini",
  got: (value) => `est ${value}`,

  inAudit: "Ouvrir dans le journal d’audit",
  noAudit: "Rien n’est arrivé à ce compte.",

  account: "Compte",
  since: "Ajout",
  password: "Mot de passe pour la console",
  hasPassword: "Défini",
  noPassword: "Aucun",
  adminsOnly: "Seuls les administrateurs peuvent modifier les rôles et effacer des personnes.",
  adminAccount:
    "Cette personne est administrateur. Seuls les administrateurs peuvent gérer ce compte.",
  data: "Export des données personnelles",
  dataHint:
    "Tout ce qui est conservé de cette personne, en un fichier pour elle\u202f: compte, sessions, chaque décision avec son reçu, entrées d’audit, participation aux expériences. Le journal d’audit note que cela a été lu.",
  downloadData: "Télécharger les données",
  downloading: (size) => `${size} à ce stade…`,
  downloaded: (size) => `Téléchargé, ${size}`,
  showData: "Afficher les données",
  keptParts: {
    person: "Compte",
    sessions: "Sessions non terminées",
    terms_shown: "Conditions présentées",
    decisions: "Décisions",
    receipts: "Reçus",
    claims: "Décisions rattachées d’avant le compte",
    audit: "Entrées d’audit",
    records: "Données d’expériences",
  },
  caseFile: "Dossier de preuve",
  caseFileHint:
    "Un fichier ZIP pour un avocat ou un tribunal\u202f: chaque décision avec son reçu, son certificat et sa preuve, et les documents exacts. Sa page s’ouvre hors ligne et vérifie le tout. Le journal d’audit note qu’il a été créé.",
  caseFileAsOf: "État au (facultatif)",
  caseFileAsOfHint: (zone) =>
    `Laisse de côté ce qui a été enregistré plus tard. Vide\u202f: tout jusqu’à maintenant. Fuseau horaire\u202f: ${zone}.`,
  downloadCaseFile: "Télécharger le dossier de preuve",
  rolesTitle: "Rôles",
  saveRoles: "Enregistrer les rôles",
  discard: "Abandonner",
  rolesAsk: (userId) => `Modifier les rôles de ${userId}\u202f?`,
  rolesEnd: "Toutes les sessions de cet utilisateur prendront fin.",
  ownAdmin:
    "Ceci est votre compte. Vous perdrez le rôle d’administrateur et serez déconnecté. Seul un autre administrateur peut vous le rendre.",
  ownRoles: "C’est vous\u202f: vous êtes déconnecté, puis vous vous reconnectez.",
  lastAdmin: "C’est le seul administrateur. Ajoutez d’abord un autre administrateur.",
  rolesSaved: (userId) => `Les rôles de ${userId} sont modifiés.`,
  erase: "Effacer la personne",
  goes: "Données supprimées",
  goesHint:
    "Nom, adresse e-mail, numéro de téléphone, rôles, sessions, et la clé qui relie les entrées du journal à cette personne.",
  stays: "Données conservées",
  staysHint:
    "Décisions dans le journal, sans lien avec la personne. Entrées d’audit, avec une référence anonyme. Sauvegardes, jusqu’à leur expiration.",
  notYourself:
    "Vous ne pouvez pas effacer votre propre compte. Demandez à un autre administrateur.",
  eraseAsk: (userId) => `Effacer ${userId}\u202f?`,
  eraseDo: "Effacer la personne",
  eraseHint:
    "Cette action est irréversible. Les reçus ne peuvent plus être téléchargés. Les copies que la personne détient restent valables.",
  typeId: (userId) => `Saisissez ${userId} pour confirmer`,
  erased: (userId) => `${userId}\u202f: personne effacée.`,
};
