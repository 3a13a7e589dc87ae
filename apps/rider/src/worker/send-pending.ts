import { browserManagers, createSession, type Session } from "@musette/client/session";
import { createTermsClient } from "@musette/client/terms";
import { settleAll } from "../terms/settle";
import { CHANNEL } from "../terms/worker-messages";
import { settleContests } from "../work-record/contest-queue";
import { readCookies } from "./cookies";

/** Returns the session of the signed-in user; undefined if the browser does not reveal it. */
async function currentSession(): Promise<Session | undefined> {
  const jar = await readCookies();
  if (!jar.has("dhh_token")) return undefined;
  return createSession(
    { refreshUrl: "/api/session/v1/refresh", on403: "reject", onLogout() {} },
    {
      ...browserManagers(),
      // The answer to a refresh sets the browser's own cookies. A page finds out whether a session
      // has ended.
      cookies: {
        read: (name) => jar.get(name),
        write: (name, value) => (value ? jar.set(name, value) : jar.delete(name)),
      },
    },
  );
}

/**
 * Sends pending submissions. Rejects while one has no answer: the browser then tries again later,
 * at times of its choice.
 */
export async function sendPending(): Promise<void> {
  const session = await currentSession();
  const userId = session?.getState().userId;
  let all = await settleAll(undefined, createTermsClient().submitConsents);
  if (session && userId) {
    const { submitConsents } = createTermsClient({ fetch: session.fetch });
    all = (await settleAll(userId, submitConsents)) && all;
    all = (await settleContests(userId, session.fetch)) && all;
  }
  session?.close();
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage("settled");
  channel.close();
  if (!all) throw new Error("A submission still has no answer. The browser retries the sync.");
}
