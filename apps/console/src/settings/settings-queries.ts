import { queryOptions } from "@tanstack/react-query";
import { changeAdmin, readAdmin } from "../api/admin";
import { type Paged, pagesQuery } from "../api/pages";
import type { Environment } from "../configuration/document/environment-queries";

export interface Key {
  readonly id: string;
  readonly environment: string;
  readonly kind: "client" | "server";
  /** May see traces, which show rules. */
  readonly debug: boolean;
  readonly name?: string;
  readonly created_at: string;
  readonly revoked_at?: string;
  /** To the minute. */
  readonly last_used_at?: string;
}

const at = (environment: string) => `/environments/${encodeURIComponent(environment)}`;

export const keysPath = (environment: string) => `${at(environment)}/keys`;

export const keyPagesQuery = (environment: string) =>
  pagesQuery<Key>(keysPath(environment), new URLSearchParams());

export interface NewKey {
  readonly kind: Key["kind"];
  readonly debug: boolean;
  readonly name?: string;
}

export const createKey = (environment: string, body: NewKey) =>
  changeAdmin<{ id: string; key: string }>(keysPath(environment), { method: "POST", body });

export const revokeKey = ({ environment, id }: Key) =>
  changeAdmin(`${keysPath(environment)}/${encodeURIComponent(id)}`, { method: "DELETE" });

/** The archived ones too. */
export const everyEnvironmentQuery = queryOptions({
  queryKey: ["environments", "every"],
  queryFn: async () => (await readAdmin<Paged<Environment>>("/environments?limit=200")).items,
});

export const addEnvironment = (name: string) => changeAdmin(at(name), { method: "PUT" });
export const archiveEnvironment = (name: string) => changeAdmin(at(name), { method: "DELETE" });
