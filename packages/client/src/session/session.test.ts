import { describe, expect, it } from "vitest";
import { HttpError } from "../http";
import { SessionError } from "./failure";
import { token } from "./testing/service";
import {
  API,
  createWorld,
  expiredWorld,
  outcome,
  REFRESH,
  signedIn,
  type World,
} from "./testing/world";
import { createTokenStore } from "./tokens";

const authorization = (init: RequestInit) => new Headers(init.headers).get("authorization");

describe("a request with a valid token", () => {
  it("is sent with the token and returns the response of fetch", async () => {
    const world = signedIn();
    const tab = world.tab();
    const { value } = await outcome(world, tab.session.fetch(API));
    expect(value?.status).toBe(200);
    expect(world.service.calls.map(({ init }) => authorization(init))).toEqual([
      `Bearer ${world.jar.get("dhh_token")}`,
    ]);
  });
});

describe("an expired token", () => {
  it.each([401, 403])(
    "is refreshed once after %i, and the request is replayed once",
    async (status) => {
      const world = expiredWorld();
      const { status: defaultStatus } = world.service;
      world.service.status = (call) => (defaultStatus(call) === 200 ? 200 : status);
      const tab = world.tab();
      const { value } = await outcome(world, tab.session.fetch(API));
      expect(value?.status).toBe(200);
      expect(world.service.calls.map(({ url }) => url)).toEqual([API, REFRESH, API]);
      expect(authorization(world.service.calls[2]?.init ?? {})).toBe(
        `Bearer ${world.jar.get("dhh_token")}`,
      );
      expect(tab.logouts).toEqual([]);
    },
  );

  it("is not refreshed before the server has rejected it", async () => {
    const world = expiredWorld();
    world.service.status = () => 200;
    const { value } = await outcome(world, world.tab().session.fetch(API));
    expect(value?.ok).toBe(true);
    expect(world.service.refreshes()).toHaveLength(0);
  });

  it("is refreshed once for 1,000 requests at once, and each is replayed once", async () => {
    const world = expiredWorld();
    const tab = world.tab();
    const requests = Array.from({ length: 1000 }, () => tab.session.fetch(API));
    const { value } = await outcome(world, Promise.all(requests));
    expect(value?.every((response) => response.ok)).toBe(true);
    expect(world.service.refreshes()).toHaveLength(1);
    expect(world.service.calls).toHaveLength(2001);
  });

  it.each([400, 404, 409, 428, 429, 500, 503])("is not refreshed on %i", async (status) => {
    const world = expiredWorld();
    world.service.status = () => status;
    const tab = world.tab();
    const { error } = await outcome(world, tab.session.fetch(API));
    expect(error).toBeInstanceOf(HttpError);
    expect(error).toMatchObject({
      message: `Request failed with status code ${status}`,
      code: status < 500 ? "ERR_BAD_REQUEST" : "ERR_BAD_RESPONSE",
      status,
    });
    expect(world.service.refreshes()).toHaveLength(0);
    expect(tab.logouts).toEqual([]);
  });
});

describe("an error that a refresh cannot resolve", () => {
  it("ends the session if the token has not expired: not_expired", async () => {
    const world = signedIn();
    world.service.status = () => 401;
    const tab = world.tab();
    const { error } = await outcome(world, tab.session.fetch(API, { method: "put" }));
    expect(error).toMatchObject({ message: "Request failed with status code 401", status: 401 });
    const url = `https://app.example${API}`;
    const request = { method: "PUT", url };
    expect(tab.logouts).toEqual([{ reason: "not_expired", final: true, status: 401, request }]);
    expect(world.service.refreshes()).toHaveLength(0);
    expect(tab.session.getToken()).toBeUndefined();
  });

  it("ends the session without a second refresh if the new token is rejected too: retried", async () => {
    const world = expiredWorld();
    world.service.status = () => 401;
    const tab = world.tab();
    const { error } = await outcome(world, tab.session.fetch(API));
    expect(error).toMatchObject({ status: 401 });
    expect(tab.logouts).toMatchObject([{ reason: "retried", final: true, status: 401 }]);
    expect(world.service.calls).toHaveLength(3);
  });

  it("calls onLogout but keeps the session after a 403 with a valid token", async () => {
    const world = signedIn();
    world.service.status = () => 403;
    const tab = world.tab();
    const { error } = await outcome(world, tab.session.fetch(API));
    expect(error).toMatchObject({ status: 403, code: "ERR_BAD_REQUEST" });
    expect(tab.logouts).toMatchObject([{ reason: "forbidden", final: false, status: 403 }]);
    expect(tab.session.getToken()).toBeDefined();
  });

  it("only rejects after a 403 with on403: reject, also after a refresh", async () => {
    for (const world of [signedIn(), expiredWorld()]) {
      world.service.status = () => 403;
      const tab = world.tab({ on403: "reject" });
      const { error } = await outcome(world, tab.session.fetch(API));
      expect(error).toMatchObject({ status: 403 });
      expect(tab.logouts).toEqual([]);
      expect(tab.session.getToken()).toBeDefined();
    }
  });

  it("sends no token without cookies, and the cause says what is missing", async () => {
    const world = createWorld();
    const tab = world.tab();
    const { error } = await outcome(world, tab.session.fetch(API));
    expect(authorization(world.service.calls[0]?.init ?? {})).toBeNull();
    expect(error).toMatchObject({ status: 401, message: "Request failed with status code 401" });
    expect((error as Error).cause).toBeInstanceOf(SessionError);
    expect((error as Error).cause).toMatchObject({
      message: "Missing cookie dhh_token or refresh_token",
    });
    expect(tab.logouts).toMatchObject([{ reason: "missing_token", final: true, status: 401 }]);
  });

  it("rejects with the same cause without the refresh token", async () => {
    const world = expiredWorld();
    world.jar.delete("refresh_token");
    const tab = world.tab();
    const { error } = await outcome(world, tab.session.fetch(API));
    expect((error as Error).cause).toMatchObject({
      message: "Missing cookie dhh_token or refresh_token",
    });
    expect(world.service.refreshes()).toHaveLength(0);
  });

  it("rejects with invalid_token if the token cannot be decoded", async () => {
    const world = signedIn();
    world.jar.set("dhh_token", "not-a-token");
    world.service.status = () => 401;
    const tab = world.tab();
    const { error } = await outcome(world, tab.session.fetch(API));
    expect((error as Error).cause).toMatchObject({
      message: expect.stringMatching(/^Invalid token specified/),
    });
    expect(tab.logouts).toMatchObject([{ reason: "invalid_token", final: true }]);
  });

  it("calls onLogout once for all requests in flight, and again for a later request", async () => {
    const world = signedIn();
    world.service.status = () => 401;
    const tab = world.tab();
    const first = Array.from({ length: 20 }, () => tab.session.fetch(API));
    const { value } = await outcome(world, Promise.allSettled(first));
    expect(value?.every(({ status }) => status === "rejected")).toBe(true);
    expect(tab.logouts).toHaveLength(1);
    await outcome(world, tab.session.fetch(API));
    expect(tab.logouts).toHaveLength(2);
  });

  it("rejects requests although onLogout of the host throws", async () => {
    const world = signedIn();
    world.service.status = () => 401;
    let thrown: unknown;
    const tab = world.tab({
      onLogout() {
        throw Error("error of the host");
      },
    });
    const request = tab.session.fetch(API).catch((error: unknown) => error);
    await world.clock.advance(60_000).catch((error: unknown) => {
      thrown = error;
    });
    expect(await request).toBeInstanceOf(HttpError);
    expect(thrown).toMatchObject({ message: "error of the host" });
  });
});

describe("a late 401", () => {
  it("replays the request with a token set meanwhile, without a refresh", async () => {
    const world = expiredWorld();
    const tab = world.tab();
    const slow = tab.session.fetch(API);
    await world.clock.advance(1);
    // The 401 arrives after a sign-in has set new tokens.
    const claims = { sub: "r1", exp: world.clock.now() / 1000 + 60 };
    tab.session.setTokens({ dhhToken: token(claims), refreshToken: "new" });
    const { value } = await outcome(world, slow);
    expect(value?.status).toBe(200);
    expect(world.service.refreshes()).toHaveLength(0);
    expect(tab.logouts).toEqual([]);
  });

  it("causes neither a replay nor a log-out after another user has signed in", async () => {
    const world = expiredWorld();
    const tab = world.tab();
    const slow = tab.session.fetch(API);
    await world.clock.advance(1);
    const claims = { sub: "r2", exp: world.clock.now() / 1000 + 60 };
    tab.session.setTokens({ dhhToken: token(claims), refreshToken: "new" });
    const { error } = await outcome(world, slow);
    expect(error).toMatchObject({ status: 401 });
    expect(world.service.calls).toHaveLength(1);
    expect(tab.logouts).toEqual([]);
  });
});

describe("the next user of the same phone", () => {
  const tokensOfNextUser = (world: World) => {
    const claims = { sub: "r2", sid: "next", exp: world.clock.now() / 1000 + 900 };
    return { dhhToken: token(claims), refreshToken: "next" };
  };
  it.each([
    ["compatible", "omit"],
    ["hardened", "include"],
  ] as const)(
    "is not signed out by the late response to a log-out (%s)",
    async (cookies, credentials) => {
      const world = signedIn();
      const logoutUrl = "https://app.example/api/session/v1/logout";
      const tab = world.tab({ logoutUrl, cookies });
      world.service.delayMs = 5_000;
      let isOver = false;
      const logout = tab.session.logout().then(() => {
        isOver = true;
      });
      await world.clock.advance(4_000);
      const init = world.service.calls.find(({ url }) => url === logoutUrl)?.init;
      // Without credentials a browser ignores the cookies of the response.
      expect(init).toMatchObject({ credentials, keepalive: true });
      expect(isOver).toBe(false);
      await outcome(world, logout);
      expect(isOver).toBe(true);
    },
  );

  it("signs in in another tab and aborts the former user's refresh in this tab", async () => {
    const world = expiredWorld();
    world.service.delayMs = 2_000;
    const tab = world.tab();
    const slow = tab.session.fetch(API);
    await world.clock.advance(3_000);
    const settled = outcome(world, slow);
    world.tab().session.setTokens(tokensOfNextUser(world));
    await settled;
    expect(world.service.refreshes()[0]?.init.signal?.aborted).toBe(true);
    expect(tab.session.getState()).toEqual({ status: "signed-in", userId: "r2" });
  });

  it("signs in and aborts the former user's refresh", async () => {
    const world = expiredWorld();
    world.service.delayMs = 2_000;
    world.service.setsCookies = true;
    const tab = world.tab();
    const slow = tab.session.fetch(API);
    await world.clock.advance(3_000);
    expect(world.service.refreshes()).toHaveLength(1);
    const settled = outcome(world, slow);
    tab.session.clear();
    const next = tokensOfNextUser(world);
    tab.session.setTokens(next);
    await settled;
    expect(world.service.refreshes()[0]?.init.signal?.aborted).toBe(true);
    expect(tab.session.getState()).toEqual({ status: "signed-in", userId: "r2" });
    expect(world.jar.get("dhh_token")).toBe(next.dhhToken);
  });

  it("gets their cookies back after the former user's response has overwritten them", () => {
    const world = signedIn();
    const cookies = {
      read: (name: string) => world.jar.get(name),
      write: (name: string, value?: string) => void world.jar.set(name, value ?? ""),
    };
    const store = createTokenStore({ cookies }, false);
    const { dhhToken: access, refreshToken: refresh } = tokensOfNextUser(world);
    const former = world.jar.get("dhh_token") ?? "";
    store.write({ access, refresh });
    world.jar.set("dhh_token", former);
    world.jar.set("refresh_token", "former");
    store.discard(former);
    expect([world.jar.get("dhh_token"), world.jar.get("refresh_token")]).toEqual([access, refresh]);
  });
});

describe("the token", () => {
  it.each([
    ["/api/x", true],
    ["https://app.example/api/x", true],
    ["https://api.example/x", true],
    ["https://api.example:8443/x", false],
    ["http://app.example/api/x", false],
    ["https://app.example.evil.example/", false],
    ["//elsewhere.example/x", false],
    [REFRESH, false],
  ])("for %s is sent: %s", async (url, expected) => {
    const world = signedIn();
    const tab = world.tab({ origins: ["https://api.example"] });
    await outcome(world, tab.session.fetch(url, { method: "POST", body: "{}" }), 10);
    expect(authorization(world.service.calls[0]?.init ?? {}) !== null).toBe(expected);
  });

  it("is not affected by a 401 of another origin", async () => {
    const world = expiredWorld();
    const tab = world.tab();
    const { error } = await outcome(world, tab.session.fetch("https://elsewhere.example/x"));
    expect(error).toMatchObject({ status: 401 });
    expect(tab.logouts).toEqual([]);
    expect(tab.session.getToken()).toBeDefined();
  });

  it("is not added to the global fetch", () => {
    const before = globalThis.fetch;
    createWorld().tab();
    expect(globalThis.fetch).toBe(before);
  });
});
