import type { Schema } from "@musette/client/api";
import { requestJson } from "@musette/client/http";
import { useEffect, useState } from "react";
import { session } from "./session";

const asked = new Map<string, Promise<string | undefined>>();

/** Fetches the user's name. Only their own session may read it, and only this page keeps it. */
function nameOf(userId: string): Promise<string | undefined> {
  const known = asked.get(userId);
  if (known) return known;
  const answer = requestJson<Schema<"MeBody">>(session.fetch, "/api/session/v1/me").then(
    // Another person may have signed in while the request was on its way.
    (me) => (me.user_id === userId ? (me.name ?? undefined) : undefined),
    () => {
      asked.delete(userId);
      return undefined;
    },
  );
  asked.set(userId, answer);
  return answer;
}

/** Returns the name; undefined while it is unknown. A greeting can wait, and an id is not a name. */
export function useMyName(userId: string): string | undefined {
  const [known, setKnown] = useState<{ readonly userId: string; readonly name?: string }>();
  useEffect(() => {
    let current = true;
    nameOf(userId).then((name) => current && setKnown({ userId, ...(name && { name }) }));
    return () => {
      current = false;
    };
  }, [userId]);
  return known?.userId === userId ? known.name : undefined;
}
