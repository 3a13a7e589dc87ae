import type { SettingsTexts } from "./texts";

export const fr: SettingsTexts = {
  title: "Paramètres",
  tabs: { label: "Pages des paramètres" },
  shown: (rows) => `Éléments affichés\u202f: ${rows}`,
  environment: "Environnement",

  keysIntro: "Avec une clé d’accès, une application demande les flags d’un environnement.",
  noEnvironment: "Il n’y a pas encore d’environnement, et une clé d’accès en désigne un.",
  showRevoked: "Afficher les clés révoquées",
  createKey: "Créer une clé d’accès",
  createKeyIn: (environment) => `Créer une clé d’accès pour ${environment}`,
  keyName: "Nom",
  keyNameHint: "Où elle servira, par exemple «\u202fApplication livreurs, iOS\u202f».",
  key: "Clé d’accès",
  unnamed: "Sans nom",
  kind: "Nature",
  kinds: { client: "Client", server: "Serveur" },
  kindHints: {
    client:
      "Pour les applications et les navigateurs. N’importe qui peut la voir, et elle ne voit que les flags qui leur sont destinés.",
    server: "Pour vos propres serveurs. Gardez-la secrète\u202f: elle voit tous les flags.",
  },
  traces: "Pendant le développement",
  seesTraces: "Voit les explications",
  tracesHint:
    "Les réponses disent pourquoi, ce qui révèle les règles. Pas pour ce qui se trouve entre les mains d’autrui.",
  lastUsed: "Dernière utilisation",
  never: "Jamais",
  created: "Création",
  state: "État",
  inUse: "Valide",
  revoked: "Révoquée",
  revoke: "Révoquer",
  revokeThis: (name) => `Révoquer ${name}`,
  noKeys: "Aucune clé n’ouvre cet environnement.",
  noKeysHint: "Créez-en une par application, pour pouvoir révoquer chacune séparément.",
  keyCreated: "La clé d’accès est créée",
  keyOnce:
    "Copiez-la maintenant là où l’application la lit. Elle n’est affichée que cette fois\u202f: seule son empreinte est conservée.",
  copyKey: "Copier la clé",
  keyKept: "Je l’ai conservée",
  revokeAsk: (name) => `Révoquer «\u202f${name}\u202f»\u202f?`,
  revokeHint:
    "Tout ce qui utilise cette clé ne reçoit plus de flags à partir de cet instant et se rabat sur ce qui est stocké ou sur ses valeurs par défaut. La révocation est définitive\u202f; une nouvelle clé peut être créée.",
  usedLast: (instant) => `Dernière utilisation\u202f: ${instant}.`,
  neverUsed: "Elle n’a jamais été utilisée.",
  revokedNow: (name) => `«\u202f${name}\u202f» est révoquée.`,

  usersIntro:
    "Ouvrez la page d’une personne pour modifier ses rôles, créer un nouveau lien de connexion ou fermer ses sessions.",
  addUser: "Ajouter un utilisateur",
  noUsers: "Personne n’a ce rôle.",

  environmentsIntro:
    "Chaque environnement a ses propres flags et ses propres clés d’accès, par exemple production et staging.",
  environmentsOfAdmins:
    "Les administrateurs ajoutent, archivent et rétablissent les environnements.",
  noVersion: "Rien n’a encore été enregistré",
  versionOf: (version, instant) => `Version ${version}, enregistrée le ${instant}`,
  archived: "Archivé",
  archive: "Archiver",
  archiveThis: (name) => `Archiver ${name}`,
  archiveAsk: (name) => `Archiver ${name}\u202f?`,
  archiveHint:
    "Ses clés d’accès n’ouvrent plus rien\u202f: les applications se rabattent sur ce qui est stocké ou sur leurs valeurs par défaut. Ses versions restent, et il peut être rétabli.",
  typeName: (name) => `Saisissez ${name} pour confirmer`,
  archivedNow: (name) => `${name} est archivé.`,
  restore: "Rétablir",
  restoreThis: (name) => `Rétablir ${name}`,
  restored: (name) => `${name} est de nouveau servi.`,
  addEnvironment: "Ajouter un environnement",
  environmentName: "Nom",
  environmentNameHint:
    "Lettres, chiffres, points et tirets, par exemple staging. Il reste pour toujours.",
  taken: "Ce nom existe déjà.",
  noName:
    "Il commence par une lettre ou un chiffre et ne contient que des lettres, chiffres, points et tirets.",
  add: "Ajouter",
  environmentAdded: (name) => `${name} est ajouté.`,

  consoleSignIn: "À cette console",
  byPassword: "Par mot de passe",
  byCompany: "Par le compte de votre entreprise",
  allowed: "Autorisé",
  notAllowed: "Non autorisé",
  notSetUp: "Non configuré",
  signInHow:
    "Se définit là où le serveur est lancé\u202f; le guide d’exploitation explique comment.",
  delivery: "Codes à usage unique",
  deliveryHow:
    "Les livreurs se connectent avec un tel code. Le choix entre l’e-mail et un service à vous se fait là où le serveur est lancé.",

  deliveryAddress: "Par",
  deliverySender: "Expéditeur",
  lastDay: "Dernières 24 heures",
  sentAndFailed: (sent, failed) => `Transmis\u202f: ${sent}, échecs\u202f: ${failed}`,
  lastFailure: "Dernier échec",
  testTo: "S’adresser un test à soi-même",
  sendTest: "Lancer un test",
  testSent: (to) => `Parti vers ${to}. Vérifiez s’il arrive.`,
  testFailed: "Le test n’a pas été remis.",
  noOwnAddress:
    "Votre compte n’a ni adresse e-mail ni numéro de téléphone auquel adresser un test.",

  engine: "Base de données",
  isDemo: "Ceci est une démonstration, avec des personnes et des documents inventés.",
  publicUrl: "Adresse publique",
  issuer: "Émetteur des jetons",
  corsOrigins: "Pages autorisées à appeler l’API",
  ownOnly: "Les siennes seulement",
  riderKey: "Clé d’accès aux flags de l’application livreurs",
  retention: "Ce qui est oublié",
  retentionHint: "Les décisions, le journal et le journal d’audit ne sont jamais oubliés.",
  kept: {
    idempotency_keys_days: "Envois répétés reconnus pendant",
    ended_sessions_days: "Sessions terminées",
    flag_events_days: "Participation aux expériences et métriques",
    flag_usage_days: "Combien de fois un flag a servi quoi",
    term_views_days: "À qui des conditions ont été présentées",
  },
  limits: "Limites",
  unlimited: "Aucune limite",
  submissions: "Envois par minute depuis une même adresse, sans session",
  reads: "Lectures par minute depuis une même adresse, sans session",
  documentSize: "Taille d’un document",
  jsonSize: "Taille d’une requête",
};
