import type { FailureKind } from "../../api/failure";
import type { ExportFormat } from "../../export/export-bar";
import type { Tab } from "../../routes/tabs";

/** The words that every page needs; those of one page stand beside it (`pageTexts`). A language is one object of this shape. */
export interface ConsoleTexts {
  readonly skip: string;
  readonly nav: {
    readonly label: string;
    readonly menu: string;
    readonly overview: string;
    readonly terms: string;
    readonly people: string;
    readonly consents: string;
    readonly flags: string;
    readonly experiments: string;
    readonly holdouts: string;
    readonly audit: string;
    readonly settings: string;
  };
  readonly tabs: Readonly<Record<Tab, string>>;
  readonly language: string;
  readonly appearance: {
    readonly label: string;
    readonly system: string;
    readonly light: string;
    readonly dark: string;
  };
  readonly signOut: string;
  readonly roles: { readonly operator: string; readonly admin: string };
  readonly palette: PaletteTexts;
  readonly signIn: SignInTexts;
  readonly overview: OverviewTexts;
  readonly audit: AuditTexts;
  readonly notFound: { readonly title: string; readonly text: string };
  /** Its code or words did not arrive, or it broke. */
  readonly pageFailed: { readonly title: string; readonly text: string };
  readonly notAllowed: {
    readonly title: string;
    readonly text: (user: string) => string;
    readonly signInAsOther: string;
  };
  /** An admin with a password and nothing else. */
  readonly secondFactor: {
    readonly due: (date: string) => string;
    readonly overdue: string;
    readonly setUp: string;
  };
  readonly backToOverview: string;
  readonly loading: string;
  readonly tryAgain: string;
  readonly suspended: string;
  readonly failure: Readonly<Record<FailureKind, string>>;
  readonly undo: string;
  readonly close: string;
  readonly cancel: string;
  readonly more: string;
  readonly sort: SortTexts;
  readonly export: ExportTexts;
  /** The number follows; support finds the request by it. */
  readonly requestId: string;
  readonly copied: string;
  readonly notCopied: string;
}

interface ExportTexts {
  readonly as: string;
  readonly formats: Readonly<Record<ExportFormat, string>>;
  readonly run: string;
  readonly soFar: (count: number, rows: string, size: string) => string;
  readonly done: (count: number, rows: string, size: string) => string;
  readonly cancelled: string;
}

interface SortTexts {
  readonly label: string;
  /** As the list comes. */
  readonly none: string;
  readonly up: (column: string) => string;
  readonly down: (column: string) => string;
}

interface PaletteTexts {
  readonly title: string;
  readonly open: string;
  readonly placeholder: string;
  readonly nothing: string;
  readonly recent: string;
  readonly goTo: string;
  readonly settings: string;
  readonly shortcuts: string;
  readonly searching: string;
}

interface SignInTexts {
  /** Of the page, and of the button that ends it. */
  readonly title: string;
  readonly intro: string;
  readonly ended: string;
  readonly email: string;
  readonly password: string;
  readonly otpTitle: string;
  readonly otp: string;
  readonly otpHint: string;
  readonly another: string;
  readonly company: (provider: string) => string;
  readonly or: string;
  readonly setTitle: string;
  readonly setIntro: string;
  readonly setPassword: string;
  readonly repeat: string;
  readonly unequal: string;
  readonly atLeast: (characters: number) => string;
  readonly set: string;
  readonly setUpTitle: string;
  /** For who is signed in already. */
  readonly setUpIntro: string;
  readonly setUpBegin: string;
  /** For who cannot go on without it. */
  readonly setUpRequired: string;
  readonly setUpScan: string;
  readonly setUpQr: string;
  /** The key follows. */
  readonly setUpKey: string;
  readonly setUpDone: string;
  readonly throttledFor: (time: string) => string;
  /** By the codes of the server's answers and of `?trouble=`. */
  readonly troubles: Readonly<Record<SignInTrouble, string>>;
}

export const signInTroubles = [
  "credentials_invalid",
  "otp_invalid",
  "link_invalid",
  "password_too_short",
  "password_too_common",
  "authenticator_exists",
  "setup_expired",
  "password_sign_in_off",
  "oidc_unavailable",
  "oidc_expired",
  "oidc_denied",
  "oidc_invalid",
  "oidc_unknown",
  "oidc_not_allowed",
] as const;
export type SignInTrouble = (typeof signInTroubles)[number];

interface OverviewTexts {
  readonly title: string;
  readonly server: string;
  readonly ready: string;
  readonly notReady: string;
  readonly log: string;
  readonly logSize: (entries: string) => string;
  readonly logEmpty: string;
  readonly root: string;
  readonly version: string;
  readonly engine: Readonly<Record<"sqlite" | "postgres", string>>;
  readonly delivery: Readonly<Record<"log" | "smtp" | "webhook", string>>;
  readonly agreed: string;
  readonly ridersAgreed: (agreed: string, riders: string) => string;
  readonly counting: string;
  readonly noTerms: string;
  readonly recent: string;
  readonly allEvents: string;
}

interface AuditTexts {
  readonly search: string;
  readonly searchHint: string;
  readonly title: string;
  readonly intro: (zone: string) => string;
  readonly event: string;
  readonly anyEvent: string;
  readonly user: string;
  readonly since: string;
  readonly until: string;
  readonly clear: string;
  readonly when: string;
  readonly who: string;
  readonly by: string;
  readonly detail: string;
  readonly themselves: string;
  /** Somebody at the command line, which has no name. */
  readonly command: string;
  /** Did it; nobody was signed in. */
  readonly anybody: string;
  /** Within the hour of the entry. */
  readonly times: (count: string) => string;
  /** Erased since: only a reference is left. */
  readonly erased: string;
  readonly shown: (entries: string) => string;
  readonly nothing: string;
  readonly nothingHint: string;
  /** Known events in words; any other is shown by its name. */
  readonly events: Readonly<Record<string, string>>;
}
