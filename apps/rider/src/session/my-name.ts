import type { Schema } from "@musette/client/api";
import { requestJson } from "@musette/client/http";
import { useEffect, useState } from "react";
import { session } from "./session";

const requests = new Map<string, Promise<string | undefined>>();

/** Fetches the user's name. Only their own session may read it, and only this page keeps it. */
function nameOf(userId: string): Promise<string | undefined> {
  const existing = requests.get(userId);
  if (existing) return existing;
  const answer = requestJson<Schema<"MeBody">>(session.fetch, "/api/session/v1/me").then(
    // Another person may have signed in while the request was on its way.
    (me) => (me.user_id === userId ? (me.name ?? undefined) : undefined),
    () => {
      requests.delete(userId);
      return undefined;
    },
  );
  requests.set(userId, answer);
  return answer;
}

/** Returns the name; undefined while it is unknown. A greeting can wait, and an id is not a name. */
export function useMyName(userId: string): string | undefined {
  return useFetchedName(userId)?.name;
}

/**
 * Returns the name, or the id of a user without one; undefined while it is unknown. For a place that
 * must say who the user is.
 */
export function useMyNameOrId(userId: string): string | undefined {
  const fetched = useFetchedName(userId);
  return fetched && (fetched.name ?? userId);
}

function useFetchedName(userId: string) {
  const [fetched, setFetched] = useState<{ readonly userId: string; readonly name?: string }>();
  useEffect(() => {
    let current = true;
    nameOf(userId).then((name) => current && setFetched({ userId, ...(name && { name }) }));
    return () => {
      current = false;
    };
  }, [userId]);
  return fetched?.userId === userId ? fetched : undefined;
}
