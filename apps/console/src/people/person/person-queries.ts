import { queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client";
import type { Wire } from "../../api/wire";
import { PEOPLE } from "../people-queries";
import type { Answers } from "./standing";

const PERSON = `${PEOPLE}/{userId}` as const;
const RIDER = "/api/rooster/v3/terms/{userId}";

export const personQuery = (userId: string) =>
  queryOptions({
    queryKey: ["person", userId],
    queryFn: () => api.get(PERSON, { path: { userId } }),
  });

/** Two are enough to know whether somebody is the last one. */
export const adminsQuery = queryOptions({
  queryKey: [PEOPLE, "admins"],
  queryFn: () => api.get(PEOPLE, { query: { role: "admin", limit: 2 } }),
});

export interface Standing extends Answers {
  readonly mayWork: boolean;
}

/** All that is asked of somebody now, and what they said to it. */
export const standingQuery = (userId: string) =>
  queryOptions({
    queryKey: ["person", userId, "standing"],
    async queryFn(): Promise<Standing> {
      const path = { userId };
      const [{ items: terms }, latest, past] = await Promise.all([
        api.get("/api/admin/v1/terms", { query: { limit: 200 } }),
        api.get(`${RIDER}/consents`, { path }),
        api.get("/api/admin/v1/consents", { query: { user: userId, limit: 200 } }),
      ]);
      const inEffect = terms.filter(({ status }) => status === "active");
      const types = [...new Set(inEffect.map(({ type }) => type))];
      const query = types.length > 0 ? { types: types.join(",") } : {};
      const open = await api.get(`${RIDER}/outstanding`, { path, query });
      return {
        mayWork: open.may_work,
        outstanding: open.outstanding,
        terms,
        latest: latest.consents,
        past: past.items,
      };
    },
  });

export type PersonSession = Wire<"PersonSession">;

export const sessionsQuery = (userId: string) =>
  queryOptions({
    queryKey: ["person", userId, "sessions"],
    queryFn: () => api.get(`${PERSON}/sessions`, { path: { userId } }),
  });

/** One of them, or all where none is named. */
export const endSessions = (userId: string, sid?: string) =>
  sid === undefined
    ? api.delete(`${PERSON}/sessions`, { path: { userId } })
    : api.delete(`${PERSON}/sessions/{sid}`, { path: { userId, sid } });
