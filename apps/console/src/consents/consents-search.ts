import { DAY, startOf } from "../language/days";

/** Which decisions are shown: it stands in the address, so that it can be kept and sent. */
export interface ConsentsSearch {
  readonly term?: number;
  readonly type?: string;
  readonly user?: string;
  readonly accepted?: boolean;
  /** Days of this browser's time zone, as `2026-11-21`. */
  readonly since?: string;
  readonly until?: string;
}

const TYPE = /^[A-Z][A-Z0-9_]{0,31}$/;

export function readConsentsSearch(search: Record<string, unknown>): ConsentsSearch {
  const text = (name: string) => {
    const value = search[name];
    return typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
  };
  const term = Number(text("term") || -1);
  const [type, user, since, until] = [text("type"), text("user"), text("since"), text("until")];
  return {
    ...(Number.isSafeInteger(term) && term >= 0 && { term }),
    ...(TYPE.test(type) && { type }),
    ...(user && { user }),
    ...(typeof search.accepted === "boolean" && { accepted: search.accepted }),
    ...(DAY.test(since) && { since }),
    ...(DAY.test(until) && { until }),
  };
}

/** As the server is asked. */
export function consentsParameters(search: ConsentsSearch): URLSearchParams {
  const { term, type, user, accepted, since, until } = search;
  return new URLSearchParams({
    ...(term !== undefined && { term: String(term) }),
    ...(type && { type }),
    ...(user && { user }),
    ...(accepted !== undefined && { accepted: String(accepted) }),
    ...(since && { since: startOf(since) }),
    // The server means "before"; people mean that day too.
    ...(until && { until: startOf(until, 1) }),
  });
}
