import { canonicalJson } from "./canonical";
import { parseJson, utf8 } from "./encoding";
import { refuse } from "./refusal";

/** What the length prefix of an entry bundle can say. */
const BYTES_MAX = 65_535;
const CONSENTS_MAX = 100;

/** A decision as it stands in the log. */
export interface LoggedConsent {
  readonly accepted: boolean;
  /** The device's time, as the device wrote it. */
  readonly consented_at: string;
  /** How the log knows which text was shown. */
  readonly evidence: "presented" | "inferred" | "imported";
  readonly last_page?: number;
  readonly method?: "tick" | "agree_all";
  readonly opened?: boolean;
  /** SHA-256 in hex of the exact document in the language shown. */
  readonly sha256: string;
  readonly terms_and_conditions_id: number;
}

/** What one person decided in one go, as it stands in the log. */
export interface LoggedSubmission {
  /** How the person had signed in (RFC 8176); not in older entries, nor in those of applicants. */
  readonly amr?: readonly string[];
  /** The application as it was sent; only in older entries. */
  readonly app?: string;
  /** SHA-256 in hex of the subject's key followed by the text. */
  readonly app_sha256?: string;
  readonly consents: readonly LoggedConsent[];
  /** The `id` of an applicant's earlier entry, whose decisions this one goes on with. */
  readonly continues?: string;
  readonly id: string;
  readonly locale?: string;
  /** The market by whose rules it was taken: an applicant's own word, or that of the account. */
  readonly market?: string;
  /** The server's time. */
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
/** A member that may be missing, which is not the same as null. */
const optional =
  (rule: Rule): Rule =>
  (value) =>
    value === undefined || rule(value);

const isHash = matching(/^[\da-f]{64}$/);
const isId = matching(/^[\w-]{1,64}$/);
/** Which codes there are was the server's to say: they change with the years. */
const isMarket = matching(/^[!-~]{1,64}$/);
const isSwitch = oneOf(true, false);

/** Whether the 30th of February exists was the server's to say, before it wrote the entry. */
const isInstant = matching(
  /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/,
);

const CONSENT: Rules<LoggedConsent> = {
  accepted: isSwitch,
  consented_at: isInstant,
  evidence: oneOf("presented", "inferred", "imported"),
  last_page: optional(wholeTo(10_000)),
  method: optional(oneOf("tick", "agree_all")),
  opened: optional(isSwitch),
  sha256: isHash,
  terms_and_conditions_id: wholeTo(Number.MAX_SAFE_INTEGER),
};

const SUBMISSION: Rules<LoggedSubmission> = {
  amr: optional(isWords),
  app: optional(textOf(200)),
  app_sha256: optional(isHash),
  consents: areConsents,
  continues: optional(isId),
  id: isId,
  locale: optional(textOf(35)),
  market: optional(isMarket),
  // The log's own, so it has one spelling: UTC with milliseconds.
  recorded_at: (value) => isInstant(value) && new Date(String(value)).toJSON() === value,
  subject: isHash,
  user_type: oneOf("RIDER", "APPLICANT"),
  v: oneOf(1),
};

/**
 * Reads the canonical text of a submission. A member that this version does not know is refused: a
 * verifier must not vouch for what it cannot read.
 */
export function decodeSubmission(text: string): LoggedSubmission {
  if (utf8(text).length > BYTES_MAX) refuse("malformed", "the entry is too long");
  const value = parseJson(text);
  const problem = firstProblem(value, SUBMISSION);
  // Not by its truth: a member may have the empty name.
  if (problem !== undefined) refuse("malformed", `not a submission of version 1: ${problem}`);
  const submission = value as LoggedSubmission;
  if (submission.app !== undefined && submission.app_sha256 !== undefined) {
    refuse("malformed", "the entry has an app and its hash");
  }
  if (canonicalJson(value) !== text) refuse("malformed", "the entry is not canonical");
  return submission;
}

/** The name of the first member that breaks its rule, is missing or is unknown. */
function firstProblem<T>(value: unknown, rules: Rules<T>): string | undefined {
  if (typeof value !== "object" || value === null) return "no object";
  const held = new Map<string, unknown>(Object.entries(value));
  const broken = Object.entries<Rule>(rules).find(([name, rule]) => {
    const member = held.get(name);
    held.delete(name);
    return !rule(member);
  });
  return broken?.[0] ?? held.keys().next().value;
}

/** What the words mean is not checked: a later version may know others. */
function isWords(value: unknown): boolean {
  const isWord = matching(/^[a-z\d_]{1,32}$/);
  return Array.isArray(value) && value.length >= 1 && value.length <= 8 && value.every(isWord);
}

function areConsents(value: unknown): boolean {
  if (!Array.isArray(value) || value.length < 1 || value.length > CONSENTS_MAX) return false;
  if (value.some((consent) => firstProblem(consent, CONSENT) !== undefined)) return false;
  const consents = value as readonly LoggedConsent[];
  // Two decisions on one term: which of them counts would be a guess.
  return new Set(consents.map((it) => it.terms_and_conditions_id)).size === consents.length;
}
