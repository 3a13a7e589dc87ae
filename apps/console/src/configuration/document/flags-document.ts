import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { changeAdmin, readTagged, type Tagged } from "../../api/admin";
import type { FlagsDocument } from "./document";

const at = (environment: string) => `/environments/${encodeURIComponent(environment)}`;

/** Above all that is asked of one environment, so that a change makes all of it stale. */
export const environmentKey = (environment: string) => ["environment", environment] as const;

export const flagsDocumentQuery = (environment: string) =>
  queryOptions({
    queryKey: [...environmentKey(environment), "flags"],
    queryFn: () => readTagged<FlagsDocument>(`${at(environment)}/flags`),
    enabled: environment !== "",
  });

/** The current document with its ETag, which is what a change of it names. */
export const useFlagsDocument = (environment: string) => useQuery(flagsDocumentQuery(environment));

export interface SavedVersion {
  readonly environment: string;
  readonly version: number;
  /** User id; absent where a command or a schedule saved it. */
  readonly author?: string;
  readonly comment?: string;
  readonly created_at: string;
}

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
    mutationFn: async ({ document, etag, comment }: Change) => {
      const why = comment.trim() ? `?comment=${encodeURIComponent(comment.trim())}` : "";
      const saved = await changeAdmin<SavedVersion>(`${at(environment)}/flags${why}`, {
        method: "PUT",
        body: document,
        ifMatch: etag,
      });
      if (!saved) throw new Error("The server saved a version and did not say which");
      return saved;
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
      changeAdmin<SavedVersion>(`${at(environment)}/flags/${encodeURIComponent(key)}/on`, {
        method: "PUT",
        body: { on },
      }),
    onSuccess: () => refresh(client, environment),
  });
}

function refresh(client: ReturnType<typeof useQueryClient>, environment: string) {
  void client.invalidateQueries({ queryKey: ["environments"] });
  return client.invalidateQueries({ queryKey: environmentKey(environment) });
}
