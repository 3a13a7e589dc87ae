import { pageTexts } from "../../../language/page-texts";
import type { State } from "../standing";
import type { Condition } from "../trace";

type Named = Readonly<Record<string, (name: string) => string>>;

export interface PersonTexts {
  readonly back: string;
  readonly notHere: string;
  readonly notHereHint: (userId: string) => string;
  readonly tabs: Readonly<
    Record<"label" | "terms" | "consents" | "sessions" | "flags" | "audit" | "account", string>
  >;
  readonly zone: (zone: string) => string;

  readonly mayWork: string;
  readonly mayNotWork: string;
  readonly noRider: string;
  readonly noTerms: string;
  readonly noTermsHint: string;
  readonly term: string;
  readonly mandatory: string;
  readonly optional: string;
  readonly version: (version: string) => string;
  readonly state: string;
  readonly states: Readonly<Record<State, string>>;
  readonly grace: (until: string) => string;
  readonly when: string;
  readonly receipt: string;
  readonly openReceipt: string;

  readonly consentsIntro: (zone: string) => string;
  readonly noConsents: string;
  readonly noConsentsHint: string;

  readonly noSessions: string;
  readonly noSessionsHint: string;
  readonly unknownDevice: string;
  readonly lastUsed: string;
  readonly signedIn: string;
  readonly end: string;
  readonly endTitle: (device: string) => string;
  readonly endHint: string;
  readonly ended: string;
  readonly endAll: string;
  readonly endAllTitle: (userId: string) => string;
  readonly endAllHint: string;
  readonly endedAll: string;

  readonly flagsIntro: string;
  readonly noEnvironment: string;
  readonly noEnvironmentHint: string;
  readonly toEnvironments: string;
  readonly noFlags: string;
  readonly environment: string;
  readonly findFlag: string;
  readonly flagsShown: (shown: string, all: string) => string;
  readonly attributes: string;
  readonly attributesHint: string;
  readonly attribute: string;
  readonly attributeValue: string;
  readonly addAttribute: string;
  readonly removeAttribute: (name: string) => string;
  readonly on: string;
  readonly off: string;
  readonly nothing: string;
  readonly variation: string;
  readonly noConditions: string;
  readonly therefore: string;
  /** By the kind of an explanation, with the name of what decided. */
  readonly reasons: Named;
  /** By the kind of a step, with its name. */
  readonly steps: Named;
  readonly condition: (condition: Condition) => string;
  readonly met: string;
  readonly notMet: string;
  readonly notGiven: string;
  readonly got: (value: string) => string;

  readonly inAudit: string;
  readonly noAudit: string;

  readonly account: string;
  readonly since: string;
  readonly password: string;
  readonly hasPassword: string;
  readonly noPassword: string;
  readonly adminsOnly: string;
  readonly data: string;
  readonly dataHint: string;
  readonly downloadData: string;
  readonly downloading: (size: string) => string;
  readonly downloaded: (size: string) => string;
  readonly rolesTitle: string;
  readonly saveRoles: string;
  readonly discard: string;
  readonly rolesAsk: (userId: string) => string;
  readonly rolesEnd: string;
  readonly ownAdmin: string;
  readonly ownRoles: string;
  readonly lastAdmin: string;
  readonly rolesSaved: (userId: string) => string;
  readonly erase: string;
  readonly goes: string;
  readonly goesHint: string;
  readonly stays: string;
  readonly staysHint: string;
  readonly notYourself: string;
  readonly eraseAsk: (userId: string) => string;
  readonly eraseDo: string;
  readonly eraseHint: string;
  readonly typeId: (userId: string) => string;
  readonly erased: (userId: string) => string;
}

export const usePersonTexts = pageTexts<PersonTexts>({
  en: () => import("./en").then(({ en }) => en),
  de: () => import("./de").then(({ de }) => de),
  ar: () => import("./ar").then(({ ar }) => ar),
});
