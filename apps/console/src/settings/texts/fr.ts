import type { SettingsTexts } from "./texts";

export const fr: SettingsTexts = {
  title: "Paramètres",
  tabs: { label: "Pages des paramètres" },
  shown: (rows) => `Éléments affichés\u202f: ${rows}`,
  environment: "Environnement",

  keysIntro: "Les applications utilisent une clé SDK pour lire les flags d’un environnement.",
  noEnvironment: "Il n’y a pas encore d’environnement, et une clé SDK en désigne un.",
  showRevoked: "Afficher les clés révoquées",
  createKey: "Créer une clé SDK",
  createKeyIn: (environment) => `Créer une clé SDK pour ${environment}`,
  keyName: "Nom",
  keyNameHint: "Où elle servira, par exemple «\u202fApplication livreurs, iOS\u202f».",
  key: "Clé SDK",
  unnamed: "Sans nom",
  kind: "Nature",
  kinds: { client: "Client", server: "Serveur" },
  kindHints: {
    client:
      "Côté client\u202f: pour les applications et les navigateurs. Non secrète. Lit uniquement les flags disponibles pour les SDK côté client.",
    server: "Côté serveur\u202f: pour vos serveurs. Gardez-la secrète. Lit tous les flags.",
  },
  traces: "Débogage",
  seesTraces: "Inclure les raisons d’évaluation",
  tracesHint:
    "Les réponses incluent les raisons d’évaluation, qui révèlent vos règles. À ne pas utiliser dans les applications publiées.",
  lastUsed: "Dernière utilisation",
  never: "Jamais",
  created: "Création",
  state: "État",
  inUse: "Active",
  revoked: "Révoquée",
  revoke: "Révoquer",
  revokeThis: (name) => `Révoquer ${name}`,
  noKeys: "Aucune clé SDK dans cet environnement",
  noKeysHint:
    "Créez une clé distincte pour chaque application afin de pouvoir la révoquer séparément.",
  keyCreated: "Clé SDK créée",
  keyOnce: "Copiez cette clé maintenant. Elle ne sera plus affichée.",
  copyKey: "Copier la clé",
  keyKept: "Terminé",
  revokeAsk: (name) => `Révoquer «\u202f${name}\u202f»\u202f?`,
  revokeHint:
    "Les applications qui utilisent cette clé ne reçoivent plus de flags et utilisent les valeurs en cache ou de repli. Cette action est irréversible.",
  usedLast: (instant) => `Dernière utilisation\u202f: ${instant}.`,
  neverUsed: "Elle n’a jamais été utilisée.",
  revokedNow: (name) => `«\u202f${name}\u202f» est révoquée.`,

  usersIntro:
    "Ouvrez un utilisateur pour modifier ses rôles, créer un lien de connexion ou fermer ses sessions.",
  addUser: "Ajouter un utilisateur",
  noUsers: "Aucun utilisateur avec ce rôle",

  environmentsIntro:
    "Chaque environnement a ses propres flags et ses propres clés SDK, par exemple production et staging.",
  environmentsOfAdmins:
    "Seuls les administrateurs peuvent ajouter, archiver et restaurer des environnements.",
  noVersion: "Aucune version pour l’instant",
  versionOf: (version, instant) => `Version ${version}, enregistrée le ${instant}`,
  archived: "Archivé",
  archive: "Archiver",
  archiveThis: (name) => `Archiver ${name}`,
  archiveAsk: (name) => `Archiver ${name}\u202f?`,
  archiveHint:
    "Ses clés SDK n’ouvrent plus rien\u202f: les applications se rabattent sur ce qui est stocké ou sur leurs valeurs par défaut. Ses versions restent, et il peut être rétabli.",
  typeName: (name) => `Saisissez ${name} pour confirmer`,
  archivedNow: (name) => `${name} est archivé.`,
  restore: "Restaurer l’environnement",
  restoreThis: (name) => `Rétablir ${name}`,
  restored: (name) => `${name} est de nouveau servi.`,
  addEnvironment: "Ajouter un environnement",
  environmentName: "Nom",
  environmentNameHint:
    "Lettres, chiffres, points et tirets, par exemple staging. Il ne peut pas être modifié.",
  taken: "Ce nom est déjà utilisé.",
  noName:
    "Il commence par une lettre ou un chiffre et ne contient que des lettres, chiffres, points et tirets.",
  add: "Ajouter",
  environmentAdded: (name) => `${name} est ajouté.`,

  consoleSignIn: "Connexion à la console",
  byPassword: "Mot de passe",
  byCompany: "Authentification unique (SSO)",
  allowed: "Autorisé",
  notAllowed: "Non autorisé",
  notSetUp: "Non configuré",
  signInHow: "Configuré dans les paramètres du serveur. Consultez le guide d’exploitation.",
  delivery: "Codes à usage unique",
  deliveryHow:
    "Les livreurs se connectent avec des codes à usage unique. La méthode d’envoi est configurée dans les paramètres du serveur.",

  deliveryAddress: "Méthode d’envoi",
  deliverySender: "Expéditeur",
  lastDay: "Dernières 24 heures",
  sentAndFailed: (sent, failed) => `Transmis\u202f: ${sent}, échecs\u202f: ${failed}`,
  lastFailure: "Dernier échec",
  testTo: "Message de test",
  sendTest: "Envoyer un message de test",
  testSent: (to) => `Message de test envoyé à ${to}. Vérifiez qu’il arrive.`,
  testFailed: "Le test n’a pas été remis.",
  noOwnAddress:
    "Votre compte n’a ni adresse e-mail ni numéro de téléphone auquel adresser un test.",

  engine: "Base de données",
  isDemo: "Serveur de démonstration avec des données fictives",
  publicUrl: "Adresse publique",
  issuer: "Émetteur des jetons",
  corsOrigins: "Origines autorisées (CORS)",
  ownOnly: "Même origine uniquement",
  riderKey: "Clé SDK de l’application livreurs",
  retention: "Conservation des données",
  retentionHint:
    "Les décisions, le journal des consentements et le journal d’audit sont conservés sans limite.",
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
  documentSize: "Taille maximale d’un document",
  jsonSize: "Taille maximale d’une requête",
};
