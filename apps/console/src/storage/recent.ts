import { readStored, writeStored } from "./storage";

/** A page that was looked at. */
export interface Visit {
  /** Within the console, with what its address holds. */
  readonly href: string;
  readonly title: string;
}

const STORED = "musette.console.recent";
const KEPT = 8;

export function recentVisits(): readonly Visit[] {
  try {
    const stored: unknown = JSON.parse(readStored(STORED) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isVisit) : [];
  } catch {
    return [];
  }
}

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
  writeStored(STORED, JSON.stringify(remembered(recentVisits(), visit)));
}

/** Whom somebody has looked at is nobody else's business on this browser. */
export const forgetVisits = (): void => writeStored(STORED, undefined);
