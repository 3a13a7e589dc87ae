import { requestJson } from "@musette/client/http";
import { queryOptions } from "@tanstack/react-query";
import { readAdmin } from "../../api/admin";
import type { Paged } from "../../api/pages";
import { session } from "../../session/session";
import type { Person } from "../people-queries";
import type { Latest, PastDecision, PublishedTerm } from "./standing";

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
  readonly terms: readonly PublishedTerm[];
  readonly latest: readonly Latest[];
  readonly past: readonly PastDecision[];
  readonly outstanding: readonly { readonly id: number; readonly grace_until?: string }[];
}

/** All that is asked of somebody now, and what they said to it. */
export const standingQuery = (userId: string) =>
  queryOptions({
    queryKey: ["person", userId, "standing"],
    async queryFn(): Promise<Standing> {
      const user = encodeURIComponent(userId);
      const [published, latest, past] = await Promise.all([
        readAdmin<Paged<PublishedTerm>>("/terms?limit=200"),
        rider<{ consents: Latest[] }>(userId, "consents"),
        readAdmin<Paged<PastDecision>>(`/consents?user=${user}&limit=200`),
      ]);
      const terms = published.items;
      const inEffect = terms.filter(({ status }) => status === "active");
      const types = [...new Set(inEffect.map(({ type }) => type))];
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
        past: past.items,
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
