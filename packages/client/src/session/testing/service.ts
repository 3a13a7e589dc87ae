import type { Clock } from "./clock";

/** A failure that a test injects into a call. */
export type Failure =
  | "network"
  | "hang"
  /** The server handled the request, but its response was lost. */
  | "lost"
  | "garbage"
  | "unusable"
  /** A firewall's page instead of the server's response. */
  | "page"
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
  /** Whether the tab held the lock when it sent the request. */
  readonly locked: boolean;
}

export const TTL_S = 900;

export function token(claims: object): string {
  return `e30.${btoa(JSON.stringify(claims)).replace(/=/g, "").replace(/\+/g, "-").replace(/\//g, "_")}.x`;
}

const JSON_TYPE: Record<string, string> = { "content-type": "application/json" };

/** Returns only the used parts of a `Response`, because a hundred thousand real ones take minutes. */
export function createResponse(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  return {
    status,
    ok: status >= 200 && status < 300,
    headers: { get: (name: string) => ({ ...JSON_TYPE, ...headers })[name.toLowerCase()] ?? null },
    json: async () => {
      if (body instanceof Error) throw body;
      return body;
    },
  } as unknown as Response;
}

/** Creates a fake server that follows §4 of the contract. A refresh that was lost returns the same tokens again. */
export function createService(clock: Clock) {
  const failures: (Failure | undefined)[] = [];
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
    /** The failures of the next refreshes; `undefined` for a normal response. */
    failures,
    /** The difference between the server's clock and the device's clock. */
    skewMs: 0,
    now: () => clock.now() + service.skewMs,
    dates: true,
    /** Whether the response of a refresh also sets the cookies, as the Musette server does. */
    setsCookies: false,
    retryAfter: "7",
    delayMs: 5,
    reused: 0,
    /** The maximum number of concurrent refreshes, of those sent with the lock and of all. */
    most: { locked: 0, all: 0 },
    signIn(ttlS = TTL_S) {
      generation = 0;
      sid = `s${Number(sid.slice(1)) + 1}`;
      return issue(ttlS);
    },
    /** Returns the status of an API call. By default it depends on the token. */
    status(call: Call): number {
      const authorization = new Headers(call.init.headers).get("authorization");
      const claims = authorization && JSON.parse(atob(authorization.split(".")[1] ?? ""));
      return claims && claims.exp * 1000 > service.now() ? 200 : 401;
    },
    refresh(body: string, failure: Failure | undefined): Response {
      const dated = service.dates ? { date: new Date(service.now()).toUTCString() } : undefined;
      if (typeof failure === "number") {
        const busy = { "retry-after": service.retryAfter };
        return createResponse(failure, {}, { ...dated, ...(failure === 429 && busy) });
      }
      if (failure === "page") return createResponse(403, {}, { "content-type": "text/html" });
      if (failure === "unusable")
        return createResponse(200, { dhhToken: "x", refreshToken: "y" }, dated);
      if (failure === "garbage") return createResponse(200, new SyntaxError(), dated);
      const used = JSON.parse(body).refresh_token;
      if (used === `${sid}.${generation}`) generation += 1;
      else if (used !== `${sid}.${generation - 1}`) {
        service.reused += 1;
        return createResponse(401, {}, dated);
      }
      return createResponse(200, issue(TTL_S), dated);
    },
  };
  return service;
}

export type Service = ReturnType<typeof createService>;
