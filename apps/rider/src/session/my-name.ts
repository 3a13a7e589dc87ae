import type { Schema } from "@musette/client/api";
import { requestJson } from "@musette/client/http";
import { useEffect, useState } from "react";
import { session } from "./session";

const asked = new Map<string, Promise<string | undefined>>();

/** Only one's own session is told one's name; it is kept nowhere but in this page. */
function nameOf(userId: string): Promise<string | undefined> {
  const known = asked.get(userId);
  if (known) return known;
  const answer = requestJson<Schema<"MeBody">>(session.fetch, "/api/session/v1/me").then(
    // The session may have become another person's while the question was on its way.
    (me) => (me.user_id === userId ? (me.name ?? undefined) : undefined),
    () => {
      asked.delete(userId);
      return undefined;
    },
  );
  asked.set(userId, answer);
  return answer;
}

/** Undefined while it is not known: a greeting can wait, and an id is no name. */
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
