import type { Schema } from "@musette/client/api";
import { requestJson } from "@musette/client/http";
import { useEffect, useState } from "react";
import { session } from "./session";

export type Me = Schema<"MeBody">;

const requests = new Map<string, Promise<Me | undefined>>();

/** Fetches the user's own facts. Only their own session may read them, and only this page keeps them. */
function fetchMe(userId: string): Promise<Me | undefined> {
  const existing = requests.get(userId);
  if (existing) return existing;
  const answer = requestJson<Me>(session.fetch, "/api/session/v1/me").then(
    // Another person may have signed in while the request was on its way.
    (me) => (me.user_id === userId ? me : undefined),
    () => {
      requests.delete(userId);
      return undefined;
    },
  );
  requests.set(userId, answer);
  return answer;
}

/** Returns the user's own facts; undefined while they are unknown. */
export function useMe(userId: string): Me | undefined {
  const [me, setMe] = useState<Me>();
  useEffect(() => {
    let current = true;
    fetchMe(userId).then((answer) => current && setMe(answer));
    return () => {
      current = false;
    };
  }, [userId]);
  return me?.user_id === userId ? me : undefined;
}

/**
 * Returns the name, or the id of a user without one; undefined while it is unknown. For a place that
 * must say who the user is.
 */
export function useMyNameOrId(userId: string): string | undefined {
  const me = useMe(userId);
  return me && (me.name ?? userId);
}
