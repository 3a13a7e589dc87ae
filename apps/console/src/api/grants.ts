export const CONSOLE_ROLES = [
  "viewer",
  "support",
  "legal",
  "product",
  "operator",
  "admin",
] as const;
export type ConsoleRole = (typeof CONSOLE_ROLES)[number];

/** A role as somebody holds it: everywhere, or inside one market or environment. */
export interface Grant {
  readonly role: string;
  readonly scope?: string;
}

/** What people do here, by what it is done to. */
export type Task = "personal" | "people" | "evidence" | "terms" | "flags" | "company";

/** Who may do it; `operator` means `support`, `legal` and `product`. The server decides. */
export const ROLES_FOR: Readonly<Record<Task, readonly ConsoleRole[]>> = {
  personal: ["support", "legal", "admin"],
  people: ["support", "admin"],
  evidence: ["legal", "admin"],
  terms: ["legal", "admin"],
  flags: ["product", "admin"],
  company: ["admin"],
};

const OPERATOR: readonly string[] = ["support", "legal", "product"];

export function grantOf(text: string): Grant {
  const [role = "", scope] = text.split("@");
  return scope ? { role, scope } : { role };
}

/** Whether a market is another one or lies in it: by parts, not by letters. */
export function isInside(market: string, around: string): boolean {
  if (market === around) return true;
  if (around.includes(".")) return false;
  return (
    market.startsWith(`${around}.`) || (!around.includes("-") && market.startsWith(`${around}-`))
  );
}

export const entersConsole = (roles: readonly string[]): boolean =>
  roles.some((it) => (CONSOLE_ROLES as readonly string[]).includes(grantOf(it).role));

/** Whether one of these roles is for the whole company: the audit is about people everywhere. */
export const readsAudit = (roles: readonly string[]): boolean =>
  roles.map(grantOf).some(({ role, scope }) => entersConsole([role]) && !scope);

/** The markets, or environments, where alone somebody with these roles may do it; none: everywhere. */
export function onlyWithin(roles: readonly string[], task: Task): readonly string[] {
  if (mayDo(roles, task, EVERYWHERE)) return [];
  return roles.map(grantOf).flatMap(({ role, scope }) => {
    return scope && mayDo([`${role}@${scope}`], task) ? [scope] : [];
  });
}

/** In place of a market: of what is for all of them. */
export const EVERYWHERE = "";

/**
 * Whether somebody with these roles may do it: to this market or environment, or, where none is named,
 * at least somewhere.
 */
export function mayDo(roles: readonly string[], task: Task, scope?: string): boolean {
  return roles.map(grantOf).some(({ role, scope: narrowed }) => {
    const named = role === "operator" ? OPERATOR : [role];
    const isNamed = ROLES_FOR[task].some((it) => named.includes(it));
    return isNamed && (!narrowed || scope === undefined || isInside(scope, narrowed));
  });
}
