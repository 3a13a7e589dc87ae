import type { Schema } from "@musette/client/api";
import { requestJson } from "@musette/client/http";
import { enterSession } from "../session/person";

/** A rider of the demonstration. */
export type DemoRider = Schema<"DemoRider">;

const BASE = "/api/demo/v1";

let request: Promise<Schema<"DemoBody">> | undefined;

function demo(): Promise<Schema<"DemoBody">> {
  request ??= requestJson<Schema<"DemoBody">>(fetch, BASE).catch(() => {
    // A first request without a network must not mean "no demonstration" until the next reload.
    request = undefined;
    return { riders: [] };
  });
  return request;
}

/** Returns the riders of the demonstration; an empty list if the server is a real one. */
export async function demoRiders(): Promise<readonly DemoRider[]> {
  return (await demo()).riders;
}

/** Returns the client key for the demonstration's flags. */
export async function demoFlagKey(): Promise<string | undefined> {
  return (await demo()).flag_key;
}

/** Signs in as this rider of the demonstration. */
export async function signInAsDemoRider(rider: DemoRider): Promise<void> {
  const tokens = await requestJson<Schema<"Tokens">>(fetch, `${BASE}/sessions`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ user_id: rider.user_id }),
  });
  enterSession(tokens);
}
