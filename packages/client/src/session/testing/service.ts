import type { Clock } from "./clock";

/** What a test makes of one call, instead of the answer that is due. */
export type Fault =
  | "network"
  | "hang"
  /** The server did it, and the answer never came. */
  | "lost"
  | "garbage"
  | "unusable"
  | 401
  | 403
  | 404
  | 429
  | 500
  | 503;

export interface Call {
  readonly url: string;
  readonly init: RequestInit;
  readonly tab: string;
  /** Whether the tab had the lock when it sent this. */
  readonly locked: boolean;
}

export const TTL_S = 900;

export function token(claims: object): string {
  return `e30.${btoa(JSON.stringify(claims)).replace(/=/g, "").replace(/\+/g, "-").replace(/\//g, "_")}.x`;
}

/** As little of a `Response` as the session looks at: a hundred thousand real ones take minutes. */
export function answer(status: number, body: unknown, headers: Record<string, string> = {}) {
  return {
    status,
    ok: status >= 200 && status < 300,
    headers: { get: (name: string) => headers[name.toLowerCase()] ?? null },
    json: async () => {
      if (body instanceof Error) throw body;
      return body;
    },
  } as unknown as Response;
}

/** A server as §4 of the contract has it: a refresh token that was lost gives the same successor. */
export function createService(clock: Clock) {
  const faults: (Fault | undefined)[] = [];
  const calls: Call[] = [];
  let generation = 0;
  let sid = "s1";

  const issue = (ttlS: number) => {
    const nowS = service.now() / 1000;
    const claims = { sub: "r1", sid, iat: Math.floor(nowS), exp: nowS + ttlS, generation };
    return { dhhToken: token(claims), refreshToken: `${sid}.${generation}` };
  };

  const service = {
    calls,
    refreshes: () => calls.filter(({ url }) => url.endsWith("/refresh")),
    /** What the next refreshes meet; `undefined` is the answer that is due. */
    faults,
    /** How far the server's clock is ahead of the device's. */
    skewMs: 0,
    now: () => clock.now() + service.skewMs,
    dates: true,
    /** Whether the answer of a refresh sets the cookies as well, as our own server's does. */
    setsCookies: false,
    retryAfter: "7",
    delayMs: 5,
    reused: 0,
    /** The most refreshes that were under way at once, of those sent with the lock and of all. */
    most: { locked: 0, all: 0 },
    signIn(ttlS = TTL_S) {
      generation = 0;
      sid = `s${Number(sid.slice(1)) + 1}`;
      return issue(ttlS);
    },
    /** What a call to the interface is answered with: by default, by its token. */
    status(call: Call): number {
      const sent = new Headers(call.init.headers).get("authorization");
      const claims = sent && JSON.parse(atob(sent.split(".")[1] ?? ""));
      return claims && claims.exp * 1000 > service.now() ? 200 : 401;
    },
    refresh(body: string, fault: Fault | undefined): Response {
      const dated = service.dates ? { date: new Date(service.now()).toUTCString() } : undefined;
      if (typeof fault === "number") {
        const busy = { "retry-after": service.retryAfter };
        return answer(fault, {}, { ...dated, ...(fault === 429 && busy) });
      }
      if (fault === "unusable") return answer(200, { dhhToken: "x", refreshToken: "y" }, dated);
      if (fault === "garbage") return answer(200, new SyntaxError(), dated);
      const used = JSON.parse(body).refresh_token;
      if (used === `${sid}.${generation}`) generation += 1;
      else if (used !== `${sid}.${generation - 1}`) {
        service.reused += 1;
        return answer(401, {}, dated);
      }
      return answer(200, issue(TTL_S), dated);
    },
  };
  return service;
}

export type Service = ReturnType<typeof createService>;
