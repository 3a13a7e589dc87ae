import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, type Tagged } from "../../api/client";
import type { Wire } from "../../api/wire";
import type { FlagsDocument } from "./document";

const FLAGS = "/api/admin/v1/environments/{environment}/flags";

/** Above all that is asked of one environment, so that a change makes all of it stale. */
export const environmentKey = (environment: string) => ["environment", environment] as const;

export const flagsDocumentQuery = (environment: string) =>
  queryOptions({
    queryKey: [...environmentKey(environment), "flags"],
    queryFn: () => api.tagged(FLAGS, { path: { environment } }),
    enabled: environment !== "",
  });

/** The current document with its ETag, which is what a change of it names. */
export const useFlagsDocument = (environment: string) => useQuery(flagsDocumentQuery(environment));

export type SavedVersion = Wire<"VersionBody">;

interface Change {
  /** As it is to become. */
  readonly document: FlagsDocument;
  /** Of what it was made from: 412 when somebody else has saved since, 422 with every fault. */
  readonly etag: string;
  readonly comment: string;
}

/** Saves a changed document as the next version, which is what everybody sees from then on. */
export function useSaveFlags(environment: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ document, etag, comment }: Change) => {
      const why = comment.trim();
      return api.put(FLAGS, {
        path: { environment },
        query: why ? { comment: why } : {},
        body: document,
        ifMatch: etag,
      });
    },
    onSuccess: (saved, { document }) => {
      const body = { ...document, version: saved.version };
      client.setQueryData<Tagged<FlagsDocument>>(flagsDocumentQuery(environment).queryKey, {
        body,
        etag: `"${saved.version}"`,
      });
      return refresh(client, environment);
    },
  });
}

/** The kill switch: it goes onto whatever is current. */
export function useSwitchFlag(environment: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ key, on }: { readonly key: string; readonly on: boolean }) =>
      api.put(`${FLAGS}/{key}/on`, { path: { environment, key }, body: { on } }),
    onSuccess: () => refresh(client, environment),
  });
}

function refresh(client: ReturnType<typeof useQueryClient>, environment: string) {
  void client.invalidateQueries({ queryKey: ["environments"] });
  return client.invalidateQueries({ queryKey: environmentKey(environment) });
}
