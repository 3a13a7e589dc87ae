import { pageTexts } from "../../language/page-texts";
import type { Kept } from "../standing-query";

type Kinds = Readonly<Record<"client" | "server", string>>;

export interface SettingsTexts {
  readonly title: string;
  readonly tabs: { readonly label: string };
  readonly shown: (rows: string) => string;
  readonly environment: string;

  readonly keysIntro: string;
  readonly noEnvironment: string;
  readonly showRevoked: string;
  readonly createKey: string;
  readonly createKeyIn: (environment: string) => string;
  readonly keyName: string;
  readonly keyNameHint: string;
  readonly key: string;
  readonly unnamed: string;
  readonly kind: string;
  readonly kinds: Kinds;
  readonly kindHints: Kinds;
  readonly traces: string;
  readonly seesTraces: string;
  readonly tracesHint: string;
  readonly lastUsed: string;
  readonly never: string;
  readonly created: string;
  readonly state: string;
  readonly inUse: string;
  readonly revoked: string;
  readonly revoke: string;
  readonly revokeThis: (name: string) => string;
  readonly noKeys: string;
  readonly noKeysHint: string;
  readonly keyCreated: string;
  readonly keyOnce: string;
  readonly copyKey: string;
  readonly keyKept: string;
  readonly revokeAsk: (name: string) => string;
  readonly revokeHint: string;
  readonly usedLast: (instant: string) => string;
  readonly neverUsed: string;
  readonly revokedNow: (name: string) => string;

  readonly usersIntro: string;
  readonly addUser: string;
  readonly roleCan: Readonly<Record<"admin" | "operator", string>>;
  readonly noUsers: string;

  readonly environmentsIntro: string;
  readonly noVersion: string;
  readonly versionOf: (version: string, instant: string) => string;
  readonly archived: string;
  readonly archive: string;
  readonly archiveThis: (name: string) => string;
  readonly archiveAsk: (name: string) => string;
  readonly archiveHint: string;
  readonly typeName: (name: string) => string;
  readonly archivedNow: (name: string) => string;
  readonly restore: string;
  readonly restoreThis: (name: string) => string;
  readonly restored: (name: string) => string;
  readonly addEnvironment: string;
  readonly environmentName: string;
  readonly environmentNameHint: string;
  readonly taken: string;
  readonly noName: string;
  readonly add: string;
  readonly environmentAdded: (name: string) => string;

  readonly consoleSignIn: string;
  readonly byPassword: string;
  readonly byCompany: string;
  readonly allowed: string;
  readonly notAllowed: string;
  readonly notSetUp: string;
  readonly signInHow: string;
  readonly delivery: string;
  readonly deliveryHow: string;
  readonly deliveryAddress: string;
  readonly deliverySender: string;
  readonly lastDay: string;
  readonly sentAndFailed: (sent: string, failed: string) => string;
  readonly lastFailure: string;
  readonly testTo: string;
  readonly sendTest: string;
  readonly testSent: (to: string) => string;
  readonly testFailed: string;
  readonly noOwnAddress: string;

  readonly engine: string;
  readonly isDemo: string;
  readonly publicUrl: string;
  readonly issuer: string;
  readonly corsOrigins: string;
  readonly ownOnly: string;
  readonly riderKey: string;
  readonly retention: string;
  readonly retentionHint: string;
  readonly kept: Readonly<Record<Kept, string>>;
  readonly limits: string;
  readonly unlimited: string;
  readonly submissions: string;
  readonly reads: string;
  readonly documentSize: string;
  readonly jsonSize: string;
}

export const useSettingsTexts = pageTexts<SettingsTexts>({
  en: () => import("./en").then(({ en }) => en),
  de: () => import("./de").then(({ de }) => de),
  ar: () => import("./ar").then(({ ar }) => ar),
});
