import { kept } from "./storage";

/** A page that was looked at. */
export interface Visit {
  /** Within the console, with what its address holds. */
  readonly href: string;
  readonly title: string;
}

const STORED = "musette.console.recent";
const KEPT = 8;

const visits = kept(STORED, (value) => (Array.isArray(value) ? value.filter(isVisit) : undefined));

export const recentVisits = (): readonly Visit[] => visits.read() ?? [];

function isVisit(it: Partial<Visit> | null): it is Visit {
  // What a page is called goes nowhere but into text; where it leads stays within the console.
  return typeof it?.title === "string" && typeof it.href === "string" && /^\/\w/.test(it.href);
}

const pathOf = (href: string) => href.split("?")[0];

/** The newest first; of one page only its newest address. */
export function remembered(before: readonly Visit[], visit: Visit): readonly Visit[] {
  const others = before.filter(({ href }) => pathOf(href) !== pathOf(visit.href));
  return [visit, ...others].slice(0, KEPT);
}

export function rememberVisit(visit: Visit): void {
  visits.write([...remembered(recentVisits(), visit)]);
}

/** Whom somebody has looked at is nobody else's business on this browser. */
export const forgetVisits = (): void => visits.write(undefined);
