import { canonicalJson } from "./canonical";
import { parseJson, utf8 } from "./encoding";
import { fail } from "./refusal";

/** The maximum length of an entry, because its length prefix in a bundle has 16 bits. */
const BYTES_MAX = 65_535;
const CONSENTS_MAX = 100;

/** A decision in the format of the log. */
export interface LoggedConsent {
  readonly accepted: boolean;
  /** The time of the decision, in the format that the device sent. */
  readonly consented_at: string;
  /** How the server knows which text was shown. */
  readonly evidence: "presented" | "inferred" | "imported";
  readonly last_page?: number;
  readonly method?: "tick" | "agree_all";
  readonly opened?: boolean;
  /** SHA-256 in hex of the exact document in the language shown. */
  readonly sha256: string;
  readonly terms_and_conditions_id: number;
}

/** The decisions that one person submitted together, in the format of the log. */
export interface LoggedSubmission {
  /** The sign-in methods of the user (RFC 8176). Absent in older entries and for applicants. */
  readonly amr?: readonly string[];
  /** The name of the application as it was sent. Only in older entries. */
  readonly app?: string;
  /** SHA-256 in hex of the subject's key followed by the name of the application. */
  readonly app_sha256?: string;
  /** Milliseconds that the app added to the device's clock to get `consented_at`. */
  readonly clock_offset_ms?: number;
  readonly consents: readonly LoggedConsent[];
  /** The `id` of an applicant's earlier entry that this entry continues. */
  readonly continues?: string;
  /** The uncorrected time of the device's clock. */
  readonly device_at?: string;
  readonly id: string;
  readonly locale?: string;
  /** The market whose rules apply: stated by an applicant, or of the account. */
  readonly market?: string;
  /** The time of the server's clock. */
  readonly recorded_at: string;
  readonly subject: string;
  readonly user_type: "RIDER" | "APPLICANT";
  readonly v: 1;
}

type Rule = (value: unknown) => boolean;
type Rules<T> = { readonly [Member in keyof Required<T>]: Rule };

const isText = (value: unknown): value is string => typeof value === "string";
const oneOf =
  (...allowed: readonly unknown[]): Rule =>
  (value) =>
    allowed.includes(value);
const textOf =
  (charsMax: number): Rule =>
  (value) =>
    isText(value) && [...value].length <= charsMax;
const matching =
  (pattern: RegExp): Rule =>
  (value) =>
    isText(value) && pattern.test(value);
const wholeTo =
  (max: number): Rule =>
  (value) =>
    Number.isInteger(value) && Number(value) >= 0 && Number(value) <= max;
/** Returns a rule for a member that may be missing, but not null. */
const optional =
  (rule: Rule): Rule =>
  (value) =>
    value === undefined || rule(value);

const isHash = matching(/^[\da-f]{64}$/);
const isId = matching(/^[\w-]{1,64}$/);
/** Checks only the form, because the set of market codes changes over time. The server has checked the code. */
const isMarket = matching(/^[!-~]{1,64}$/);
const isBoolean = oneOf(true, false);

/** Checks only the form. The server has checked that the date exists. */
const isTimestamp = matching(
  /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/,
);

const CONSENT: Rules<LoggedConsent> = {
  accepted: isBoolean,
  consented_at: isTimestamp,
  evidence: oneOf("presented", "inferred", "imported"),
  last_page: optional(wholeTo(10_000)),
  method: optional(oneOf("tick", "agree_all")),
  opened: optional(isBoolean),
  sha256: isHash,
  terms_and_conditions_id: wholeTo(Number.MAX_SAFE_INTEGER),
};

const SUBMISSION: Rules<LoggedSubmission> = {
  amr: optional(isMethodList),
  app: optional(textOf(200)),
  app_sha256: optional(isHash),
  clock_offset_ms: optional(Number.isSafeInteger),
  consents: areConsents,
  continues: optional(isId),
  device_at: optional(isTimestamp),
  id: isId,
  locale: optional(textOf(35)),
  market: optional(isMarket),
  // The server writes this timestamp, so it has one form: UTC with milliseconds.
  recorded_at: (value) => isTimestamp(value) && new Date(String(value)).toJSON() === value,
  subject: isHash,
  user_type: oneOf("RIDER", "APPLICANT"),
  v: oneOf(1),
};

/**
 * Reads the canonical text of a submission. Rejects unknown members, because a verifier must not confirm
 * content that it cannot read.
 */
export function decodeSubmission(text: string): LoggedSubmission {
  if (utf8(text).length > BYTES_MAX) fail("malformed", "the entry is too long");
  const value = parseJson(text);
  const problem = firstProblem(value, SUBMISSION);
  // Compares with undefined, because the name of a member may be empty.
  if (problem !== undefined) fail("malformed", `not a submission of version 1: ${problem}`);
  const submission = value as LoggedSubmission;
  if (submission.app !== undefined && submission.app_sha256 !== undefined) {
    fail("malformed", "the entry has both app and app_sha256");
  }
  if (canonicalJson(value) !== text) fail("malformed", "the entry is not canonical");
  return submission;
}

/** Returns the name of the first member that breaks its rule, is missing or is unknown. */
function firstProblem<T>(value: unknown, rules: Rules<T>): string | undefined {
  if (typeof value !== "object" || value === null) return "not an object";
  const members = new Map<string, unknown>(Object.entries(value));
  const invalid = Object.entries<Rule>(rules).find(([name, rule]) => {
    const member = members.get(name);
    members.delete(name);
    return !rule(member);
  });
  return invalid?.[0] ?? members.keys().next().value;
}

/** Checks only the form of the sign-in methods, because a later version may have other ones. */
function isMethodList(value: unknown): boolean {
  const isMethod = matching(/^[a-z\d_]{1,32}$/);
  return Array.isArray(value) && value.length >= 1 && value.length <= 8 && value.every(isMethod);
}

function areConsents(value: unknown): boolean {
  if (!Array.isArray(value) || value.length < 1 || value.length > CONSENTS_MAX) return false;
  if (value.some((consent) => firstProblem(consent, CONSENT) !== undefined)) return false;
  const consents = value as readonly LoggedConsent[];
  // Two decisions on one term would be ambiguous.
  return (
    new Set(consents.map((consent) => consent.terms_and_conditions_id)).size === consents.length
  );
}
