export const CONSOLE_ROLES = [
  "viewer",
  "representative",
  "dispatcher",
  "reviewer",
  "support",
  "legal",
  "product",
  "operator",
  "admin",
] as const;
export type ConsoleRole = (typeof CONSOLE_ROLES)[number];

/** A role of a person: everywhere, or inside one market or environment. */
export interface Grant {
  readonly role: string;
  readonly scope?: string;
}

/** What people do here, grouped by what it affects. */
export type Task =
  | "company data"
  | "reports"
  | "personal"
  | "people"
  | "evidence"
  | "terms"
  | "systems"
  | "evaluations"
  | "evaluate"
  | "review"
  | "flags"
  | "company";

/**
 * The roles that may do each task; `operator` means `support`, `legal` and `product`. The server
 * decides.
 */
export const ROLES_FOR: Readonly<Record<Task, readonly ConsoleRole[]>> = {
  // A representative reads published texts, the register and counts only.
  "company data": ["viewer", "dispatcher", "reviewer", "support", "legal", "product", "admin"],
  reports: ["representative", "legal", "admin"],
  personal: ["support", "legal", "admin"],
  people: ["support", "admin"],
  evidence: ["legal", "admin"],
  terms: ["legal", "admin"],
  systems: ["legal", "product", "admin"],
  evaluations: ["support", "legal", "dispatcher", "reviewer", "admin"],
  evaluate: ["dispatcher", "admin"],
  review: ["reviewer", "admin"],
  flags: ["product", "admin"],
  company: ["admin"],
};

const OPERATOR: readonly string[] = ["support", "legal", "product"];

export function grantOf(text: string): Grant {
  const [role = "", scope] = text.split("@");
  return scope ? { role, scope } : { role };
}

/**
 * Whether a market equals another one or is inside it. Compares the parts of the codes, not their
 * letters.
 */
export function isInside(market: string, around: string): boolean {
  if (market === around) return true;
  if (around.includes(".")) return false;
  return (
    market.startsWith(`${around}.`) || (!around.includes("-") && market.startsWith(`${around}-`))
  );
}

export const entersConsole = (roles: readonly string[]): boolean =>
  roles.some((role) => (CONSOLE_ROLES as readonly string[]).includes(grantOf(role).role));

/**
 * Whether one of these roles is for the whole company. Only then may a person read the audit log,
 * which covers all markets.
 */
export const readsAudit = (roles: readonly string[]): boolean =>
  roles.map(grantOf).some(({ role, scope }) => mayDo([role], "company data") && !scope);

/** What a page needs: a task, or reading the audit log. */
export type Need = Task | "audit";

/** Whether these roles may use a page. */
export const permits = (roles: readonly string[], need: Need | undefined): boolean =>
  need === undefined || (need === "audit" ? readsAudit(roles) : mayDo(roles, need));

/** Returns the markets or environments that these roles limit the task to; empty if there is no limit. */
export function onlyWithin(roles: readonly string[], task: Task): readonly string[] {
  if (mayDo(roles, task, EVERYWHERE)) return [];
  return roles.map(grantOf).flatMap(({ role, scope }) => {
    return scope && mayDo([`${role}@${scope}`], task) ? [scope] : [];
  });
}

/** Used in place of a market, for what applies to all markets. */
export const EVERYWHERE = "";

/**
 * Whether these roles allow the task in this market or environment; without `scope`, whether they
 * allow it anywhere.
 */
export function mayDo(roles: readonly string[], task: Task, scope?: string): boolean {
  return roles.map(grantOf).some(({ role, scope: narrowed }) => {
    const named = role === "operator" ? OPERATOR : [role];
    const isNamed = ROLES_FOR[task].some((role) => named.includes(role));
    return isNamed && (!narrowed || scope === undefined || isInside(scope, narrowed));
  });
}
