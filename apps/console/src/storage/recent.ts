import { storedValue } from "./storage";

/** A visited page. */
export interface Visit {
  /** Relative to the console, with its search parameters. */
  readonly href: string;
  readonly title: string;
}

const STORED = "musette.console.recent";
const KEPT = 8;

const visits = storedValue(STORED, (value) =>
  Array.isArray(value) ? value.filter(isVisit) : undefined,
);

export const recentVisits = (): readonly Visit[] => visits.read() ?? [];

function isVisit(value: Partial<Visit> | null): value is Visit {
  // Stored data is not trusted: titles are only rendered as text, and links stay within the
  // console.
  return (
    typeof value?.title === "string" && typeof value.href === "string" && /^\/\w/.test(value.href)
  );
}

const pathOf = (href: string) => href.split("?")[0] ?? "";

/** The address of the object of a page: two tabs of one person have the same. */
const objectOf = (href: string) => pathOf(href).split("/").slice(0, 3).join("/");

/** Visited pages, newest first, each page once, and each object by one of its pages. */
export function remembered(before: readonly Visit[], visit: Visit): readonly Visit[] {
  const others = before.filter(
    ({ href, title }) =>
      pathOf(href) !== pathOf(visit.href) &&
      (title !== visit.title || objectOf(href) !== objectOf(visit.href)),
  );
  return [visit, ...others].slice(0, KEPT);
}

export function rememberVisit(visit: Visit): void {
  visits.write([...remembered(recentVisits(), visit)]);
}

/** Called on sign-out, because the titles may name people. */
export const forgetVisits = (): void => visits.write(undefined);
