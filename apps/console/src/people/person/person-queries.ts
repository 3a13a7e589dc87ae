import { queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client";
import type { Paged } from "../../api/pages";
import type { Wire } from "../../api/wire";
import { PEOPLE } from "../people-queries";
import type { Answers } from "./standing";

const PERSON = `${PEOPLE}/{userId}` as const;

export const personQuery = (userId: string) =>
  queryOptions({
    queryKey: ["person", userId],
    queryFn: () => api.get(PERSON, { path: { userId } }),
  });

/** Fetches all rows of a paged list. Only for lists that are short for one person. */
async function fetchAllRows<Row>(
  page: (query: { limit: number; cursor?: string }) => Promise<Paged<Row>>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | undefined; ; ) {
    const { items, next_cursor } = await page({ limit: 200, ...(cursor && { cursor }) });
    rows.push(...items);
    if (!next_cursor) return rows;
    cursor = next_cursor;
  }
}

/** Two rows are enough to know whether a person is the last admin. */
export const adminsQuery = queryOptions({
  queryKey: [PEOPLE, "admins"],
  queryFn: () => api.get(PEOPLE, { query: { role: "admin", limit: 2 } }),
});

export interface Standing extends Answers {
  readonly mayWork: boolean;
}

/**
 * All terms that a person must agree to, now or at an earlier time, and their decisions, for those
 * who may read them.
 */
export const standingQuery = (
  userId: string,
  asOf: string | undefined,
  mayReadDecisions: boolean,
) =>
  queryOptions({
    queryKey: ["person", userId, "standing", asOf, mayReadDecisions],
    async queryFn(): Promise<Standing> {
      const query = asOf ? { as_of: asOf } : {};
      const [terms, { may_work, terms: asked }, past] = await Promise.all([
        fetchAllRows((page) => api.get("/api/admin/v1/terms", { query: page })),
        api.get(`${PERSON}/standing`, { path: { userId }, query }),
        mayReadDecisions
          ? fetchAllRows((page) =>
              api.get("/api/admin/v1/consents", { query: { user: userId, ...page } }),
            )
          : [],
      ]);
      // A role for some markets lists only their terms, but people there must also agree to the
      // general ones.
      const listed = new Set(terms.map(({ id }) => id));
      const others = await Promise.all(
        asked
          .map(({ terms_and_conditions_id: id }) => id)
          .filter((id) => !listed.has(id))
          .map((id) => api.get("/api/admin/v1/terms/{id}", { path: { id } })),
      );
      const isPast = (instant: string) => !asOf || Date.parse(instant) <= Date.parse(asOf);
      return {
        mayWork: may_work,
        terms: [...terms, ...others],
        asked,
        past: past.filter(({ recorded_at }) => isPast(recorded_at)),
      };
    },
  });

export type PersonSession = Wire<"PersonSession">;

export const sessionsQuery = (userId: string) =>
  queryOptions({
    queryKey: ["person", userId, "sessions"],
    queryFn: () => api.get(`${PERSON}/sessions`, { path: { userId } }),
  });

/** Ends one session; without `sid`, all of them. */
export const endSessions = (userId: string, sid?: string) =>
  sid === undefined
    ? api.delete(`${PERSON}/sessions`, { path: { userId } })
    : api.delete(`${PERSON}/sessions/{sid}`, { path: { userId, sid } });
