import type { Schema } from "@musette/client/api";
import { HttpError, REQUEST_DEADLINE_MS, requestJson } from "@musette/client/http";
import { session } from "../session/session";

/** A session of this person on one device. */
export type Device = Schema<"SessionBody">;

const URL = "/api/session/v1/sessions";

/** Fetches the sessions: this device first, then the most recently used. */
export async function fetchDevices(): Promise<readonly Device[]> {
  const devices = await requestJson<readonly Device[]>(session.fetch, URL);
  const lastUsed = (device: Device) => Date.parse(device.last_used_at);
  return [...devices].sort(
    (a, b) => Number(b.current) - Number(a.current) || lastUsed(b) - lastUsed(a),
  );
}

export async function endDevice({ sid }: Device): Promise<void> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), REQUEST_DEADLINE_MS);
  try {
    await session.fetch(`${URL}/${encodeURIComponent(sid)}`, {
      method: "DELETE",
      signal: deadline.signal,
    });
  } catch (error) {
    // 404: the session has already ended, so the goal is reached.
    if (!(error instanceof HttpError && error.status === 404)) throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Ends all these sessions, even if one fails. Throws the first error at the end. */
export async function endDevices(devices: readonly Device[]): Promise<void> {
  const results = await Promise.allSettled(devices.map(endDevice));
  const failed = results.find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
}

export function isPhone({ device }: Device): boolean {
  return /android|iphone|ios|mobile/i.test(device);
}
