import type { Schema } from "@musette/client/api";
import { requestJson } from "@musette/client/http";
import { demoRiders } from "./demo";

/** The server creates the code after it has answered, so the app requests it up to this often. */
const TRIES = 6;
const PAUSE_MS = 400;

/**
 * Returns the newest code of a rider of the demonstration; undefined for other people and on a real
 * server.
 */
export async function demoCode(identifier: string): Promise<string | undefined> {
  if ((await demoRiders()).length === 0) return undefined;
  const url = `/api/demo/v1/codes?identifier=${encodeURIComponent(identifier)}`;
  for (let tries = 0; tries < TRIES; tries++) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    const answer = await requestJson<Schema<"DemoCode">>(fetch, url).catch(() => undefined);
    if (answer) return answer.code;
  }
  return undefined;
}
