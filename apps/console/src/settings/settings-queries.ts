import { queryOptions } from "@tanstack/react-query";
import { api } from "../api/client";
import { pagesQuery } from "../api/pages";
import type { Wire } from "../api/wire";

export type Key = Wire<"FlagKeyBody">;
export type NewKey = Wire<"NewKeyBody">;

const ENVIRONMENT = "/api/admin/v1/environments/{environment}";
const KEYS = `${ENVIRONMENT}/keys` as const;

export const keyPagesQuery = (environment: string) => pagesQuery(KEYS, { path: { environment } });

export const keysKey = [KEYS] as const;

export const createKey = (environment: string, body: NewKey) =>
  api.post(KEYS, { path: { environment }, body });

export const revokeKey = ({ environment, id }: Key) =>
  api.delete(`${KEYS}/{id}`, { path: { environment, id } });

/** All environments, archived ones included. */
export const everyEnvironmentQuery = queryOptions({
  queryKey: ["environments", "every"],
  queryFn: async () =>
    (await api.get("/api/admin/v1/environments", { query: { limit: 200 } })).items,
});

export const addEnvironment = (environment: string) =>
  api.put(ENVIRONMENT, { path: { environment } });
export const archiveEnvironment = (environment: string) =>
  api.delete(ENVIRONMENT, { path: { environment } });
