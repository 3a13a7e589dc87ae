import { requestJson } from "@musette/client/http";
import { queryOptions } from "@tanstack/react-query";
import { readAdmin } from "../api/admin";
import type { Paged } from "../api/pages";
import type { Person } from "../people/people-queries";
import { session } from "../session/session";
import type { ActiveTerm, Latest, PastDecision } from "./standing";

const at = (userId: string) => `/people/${encodeURIComponent(userId)}`;
const rider = <T>(userId: string, path: string) =>
  requestJson<T>(session.fetch, `/api/rooster/v3/terms/${encodeURIComponent(userId)}/${path}`);

export const personQuery = (userId: string) =>
  queryOptions({ queryKey: ["person", userId], queryFn: () => readAdmin<Person>(at(userId)) });

/** Two are enough to know whether somebody is the last one. */
export const adminsQuery = queryOptions({
  queryKey: ["/people", "admins"],
  queryFn: () => readAdmin<Paged<Person>>("/people?role=admin&limit=2"),
});

export interface Standing {
  readonly mayWork: boolean;
  readonly terms: readonly ActiveTerm[];
  readonly latest: readonly Latest[];
  readonly past: readonly PastDecision[];
  readonly outstanding: readonly { readonly id: number; readonly grace_until?: string }[];
}

/** All that is asked of somebody now, and what they said to it. */
export const standingQuery = (userId: string) =>
  queryOptions({
    queryKey: ["person", userId, "standing"],
    async queryFn(): Promise<Standing> {
      const [active, latest, past] = await Promise.all([
        readAdmin<Paged<ActiveTerm>>("/terms?status=active&limit=200"),
        rider<{ consents: Latest[] }>(userId, "consents"),
        rider<{ history: PastDecision[] }>(userId, "history?limit=100"),
      ]);
      const terms = active.items;
      const types = [...new Set(terms.map(({ type }) => type))];
      const asked = types.length > 0 ? `?types=${types.join(",")}` : "";
      const open = await rider<{
        may_work: boolean;
        outstanding: { id: number; grace_until?: string }[];
      }>(userId, `outstanding${asked}`);
      return {
        mayWork: open.may_work,
        outstanding: open.outstanding,
        terms,
        latest: latest.consents,
        past: past.history,
      };
    },
  });

export interface PersonSession {
  readonly sid: string;
  readonly device: string;
  readonly created_at: string;
  readonly last_used_at: string;
}

export const sessionsQuery = (userId: string) =>
  queryOptions({
    queryKey: ["person", userId, "sessions"],
    queryFn: () => readAdmin<readonly PersonSession[]>(`${at(userId)}/sessions`),
  });

export const personPath = at;
