import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, type Tagged } from "../../api/client";
import type { Wire } from "../../api/wire";
import type { FlagsDocument } from "./document";

const FLAGS = "/api/admin/v1/environments/{environment}/flags";

/** Returns the prefix of all query keys of one environment, for invalidation after a change. */
export const environmentKey = (environment: string) => ["environment", environment] as const;

export const flagsDocumentQuery = (environment: string) =>
  queryOptions({
    queryKey: [...environmentKey(environment), "flags"],
    queryFn: () => api.tagged(FLAGS, { path: { environment } }),
    enabled: environment !== "",
  });

/** The current configuration with its ETag, for `If-Match`. */
export const useFlagsDocument = (environment: string) => useQuery(flagsDocumentQuery(environment));

export type SavedVersion = Wire<"VersionBody">;

interface Change {
  /** The new configuration. */
  readonly document: FlagsDocument;
  /**
   * The ETag that it is based on. The server answers 412 if another person has saved since, and 422
   * with all errors.
   */
  readonly etag: string;
  readonly comment: string;
  /** Why an admin bypasses the required approvals. */
  readonly breakGlass?: string | undefined;
}

/** Saves a configuration as the next version, which takes effect at once. */
export function useSaveFlags(environment: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ document, etag, comment, breakGlass }: Change) => {
      const why = comment.trim();
      return api.put(FLAGS, {
        path: { environment },
        query: { ...(why && { comment: why }), ...(breakGlass && { break_glass: breakGlass }) },
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

/** Proposes a configuration that needs approvals. It takes effect when a person applies it. */
export function useProposeFlags(environment: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ document, etag, comment }: Change) =>
      api.post("/api/admin/v1/environments/{environment}/changes", {
        path: { environment },
        ifMatch: etag,
        body: { at: null, comment: comment.trim(), document },
      }),
    onSuccess: () => refresh(client, environment),
  });
}

interface Switching {
  readonly key: string;
  readonly on: boolean;
  /** The reason for the history; empty if the person gave none. */
  readonly comment: string;
}

/** The kill switch. It applies to the current version, whatever it contains. */
export function useSwitchFlag(environment: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ key, on, comment }: Switching) => {
      const why = comment.trim();
      return api.put(`${FLAGS}/{key}/on`, {
        path: { environment, key },
        body: { on, ...(why && { comment: why }) },
      });
    },
    onSuccess: () => refresh(client, environment),
  });
}

function refresh(client: ReturnType<typeof useQueryClient>, environment: string) {
  void client.invalidateQueries({ queryKey: ["environments"] });
  return client.invalidateQueries({ queryKey: environmentKey(environment) });
}
