import { queryOptions } from "@tanstack/react-query";
import { api } from "../api/client";
import type { Wire } from "../api/wire";

export type SystemSummary = Wire<"SystemSummary">;
type Lists = "markets" | "data" | "parameters" | "decisions" | "texts";
/** A description with its lists, which only a request may leave out. */
export type SystemBody = Omit<Wire<"SystemBody">, Lists> & {
  readonly [List in Lists]-?: NonNullable<Wire<"SystemBody">[List]>;
};
export type SystemVersion = Wire<"SystemVersionBody"> & SystemBody;
export interface SystemHistory {
  readonly key: string;
  readonly draft: (Wire<"SystemDraftBody"> & SystemBody) | null;
  readonly versions: readonly SystemVersion[];
}
export type SystemChange = Wire<"SystemChangeBody">;

export const SYSTEMS = "/api/admin/v1/automated-systems";
const ONE = `${SYSTEMS}/{key}` as const;

export const systemsQuery = queryOptions({
  queryKey: [SYSTEMS],
  queryFn: async () => (await api.get(SYSTEMS)).items,
});

export const systemQuery = (key: string) =>
  queryOptions({
    queryKey: [SYSTEMS, "one", key],
    queryFn: async () => (await api.get(ONE, { path: { key } })) as SystemHistory,
  });

/** Saves the draft. `revision` is that of the draft on the page; undefined if there is none. */
export const saveDraft = (key: string, body: SystemBody, revision: number | undefined) =>
  api.put(ONE, {
    path: { key },
    body,
    ...(revision !== undefined && { ifMatch: `"${revision}"` }),
  });

export const deleteDraft = (key: string, revision: number) =>
  api.delete(`${ONE}/draft`, { path: { key }, ifMatch: `"${revision}"` });

export const publishDraft = (key: string, revision: number, effectiveFrom: string | undefined) =>
  api.post(`${ONE}/publish`, {
    path: { key },
    ifMatch: `"${revision}"`,
    body: effectiveFrom === undefined ? {} : { effective_from: effectiveFrom },
  });
