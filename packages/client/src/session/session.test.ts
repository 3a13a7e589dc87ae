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

describe("a request with a good token", () => {
  it("goes out with it, and its answer is given as fetch gives it", async () => {
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
  it.each([401, 403])("on %i: one refresh, and the request is sent again once", async (status) => {
    const world = expiredWorld();
    const { status: due } = world.service;
    world.service.status = (call) => (due(call) === 200 ? 200 : status);
    const tab = world.tab();
    const { value } = await outcome(world, tab.session.fetch(API));
    expect(value?.status).toBe(200);
    expect(world.service.calls.map(({ url }) => url)).toEqual([API, REFRESH, API]);
    expect(authorization(world.service.calls[2]?.init ?? {})).toBe(
      `Bearer ${world.jar.get("dhh_token")}`,
    );
    expect(tab.logouts).toEqual([]);
  });

  it("is not refreshed before the server has refused it", async () => {
    const world = expiredWorld();
    world.service.status = () => 200;
    const { value } = await outcome(world, world.tab().session.fetch(API));
    expect(value?.ok).toBe(true);
    expect(world.service.refreshes()).toHaveLength(0);
  });

  it("is refreshed once for 1,000 requests at once, and each is sent again once", async () => {
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

describe("a refusal that no refresh can mend", () => {
  it("of a token that has not expired: not_expired, final", async () => {
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

  it("of the new token as well: retried, final, and no second refresh", async () => {
    const world = expiredWorld();
    world.service.status = () => 401;
    const tab = world.tab();
    const { error } = await outcome(world, tab.session.fetch(API));
    expect(error).toMatchObject({ status: 401 });
    expect(tab.logouts).toMatchObject([{ reason: "retried", final: true, status: 401 }]);
    expect(world.service.calls).toHaveLength(3);
  });

  it("403 with a good token calls onLogout, by the specification, and ends nothing", async () => {
    const world = signedIn();
    world.service.status = () => 403;
    const tab = world.tab();
    const { error } = await outcome(world, tab.session.fetch(API));
    expect(error).toMatchObject({ status: 403, code: "ERR_BAD_REQUEST" });
    expect(tab.logouts).toMatchObject([{ reason: "forbidden", final: false, status: 403 }]);
    expect(tab.session.getToken()).toBeDefined();
  });

  it("403 with on403: reject only rejects, after a refresh too", async () => {
    for (const world of [signedIn(), expiredWorld()]) {
      world.service.status = () => 403;
      const tab = world.tab({ on403: "reject" });
      const { error } = await outcome(world, tab.session.fetch(API));
      expect(error).toMatchObject({ status: 403 });
      expect(tab.logouts).toEqual([]);
      expect(tab.session.getToken()).toBeDefined();
    }
  });

  it("without cookies: sent without a token, and the cause says what is missing", async () => {
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

  it("without the refresh token: the same", async () => {
    const world = expiredWorld();
    world.jar.delete("refresh_token");
    const tab = world.tab();
    const { error } = await outcome(world, tab.session.fetch(API));
    expect((error as Error).cause).toMatchObject({
      message: "Missing cookie dhh_token or refresh_token",
    });
    expect(world.service.refreshes()).toHaveLength(0);
  });

  it("a token that cannot be decoded: Invalid token specified", async () => {
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

  it("is told once for all that were under way, and again for what comes later", async () => {
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

  it("holds up nobody when the host's onLogout throws", async () => {
    const world = signedIn();
    world.service.status = () => 401;
    let thrown: unknown;
    const tab = world.tab({
      onLogout() {
        throw Error("the host's");
      },
    });
    const request = tab.session.fetch(API).catch((error: unknown) => error);
    await world.clock.advance(60_000).catch((error: unknown) => {
      thrown = error;
    });
    expect(await request).toBeInstanceOf(HttpError);
    expect(thrown).toMatchObject({ message: "the host's" });
  });
});

describe("a late 401", () => {
  it("of a token that was replaced is sent again with the new one, without a refresh", async () => {
    const world = expiredWorld();
    const tab = world.tab();
    const slow = tab.session.fetch(API);
    await world.clock.advance(1);
    // Its refusal comes when a sign-in has long brought new tokens.
    const claims = { sub: "r1", exp: world.clock.now() / 1000 + 60 };
    tab.session.setTokens({ dhhToken: token(claims), refreshToken: "new" });
    const { value } = await outcome(world, slow);
    expect(value?.status).toBe(200);
    expect(world.service.refreshes()).toHaveLength(0);
    expect(tab.logouts).toEqual([]);
  });

  it("of another person's is neither sent again nor a log-out", async () => {
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

describe("a second person on the same phone", () => {
  const ofNext = (world: World) => {
    const claims = { sub: "r2", sid: "next", exp: world.clock.now() / 1000 + 900 };
    return { dhhToken: token(claims), refreshToken: "next" };
  };
  it.each([
    ["compatible", "omit"],
    ["hardened", "include"],
  ] as const)(
    "is not signed out by a late answer to a log-out (%s)",
    async (cookies, credentials) => {
      const world = signedIn();
      const logoutUrl = "https://app.example/api/session/v1/logout";
      const tab = world.tab({ logoutUrl, cookies });
      world.service.delayMs = 5_000;
      let isOver = false;
      const gone = tab.session.logout().then(() => {
        isOver = true;
      });
      await world.clock.advance(4_000);
      const sent = world.service.calls.find(({ url }) => url === logoutUrl)?.init;
      // Without credentials a browser ignores the cookies of the answer.
      expect(sent).toMatchObject({ credentials, keepalive: true });
      expect(isOver).toBe(false);
      await outcome(world, gone);
      expect(isOver).toBe(true);
    },
  );

  it("signs in in another tab: a late answer to the former's refresh is dropped there, too", async () => {
    const world = expiredWorld();
    world.service.delayMs = 2_000;
    const tab = world.tab();
    const slow = tab.session.fetch(API);
    await world.clock.advance(3_000);
    const over = outcome(world, slow);
    world.tab().session.setTokens(ofNext(world));
    await over;
    expect(world.service.refreshes()[0]?.init.signal?.aborted).toBe(true);
    expect(tab.session.getState()).toEqual({ status: "signed-in", userId: "r2" });
  });

  it("signs in: a late answer to the former's refresh is dropped", async () => {
    const world = expiredWorld();
    world.service.delayMs = 2_000;
    world.service.setsCookies = true;
    const tab = world.tab();
    const slow = tab.session.fetch(API);
    await world.clock.advance(3_000);
    expect(world.service.refreshes()).toHaveLength(1);
    const over = outcome(world, slow);
    tab.session.clear();
    const next = ofNext(world);
    tab.session.setTokens(next);
    await over;
    expect(world.service.refreshes()[0]?.init.signal?.aborted).toBe(true);
    expect(tab.session.getState()).toEqual({ status: "signed-in", userId: "r2" });
    expect(world.jar.get("dhh_token")).toBe(next.dhhToken);
  });

  it("has their cookies again though the former's came in between", () => {
    const world = signedIn();
    const cookies = {
      read: (name: string) => world.jar.get(name),
      write: (name: string, value?: string) => void world.jar.set(name, value ?? ""),
    };
    const store = createTokenStore({ cookies }, false);
    const { dhhToken: access, refreshToken: refresh } = ofNext(world);
    const former = world.jar.get("dhh_token") ?? "";
    store.write({ access, refresh });
    world.jar.set("dhh_token", former);
    world.jar.set("refresh_token", "former");
    store.discard(former);
    expect([world.jar.get("dhh_token"), world.jar.get("refresh_token")]).toEqual([access, refresh]);
  });
});

describe("where the token goes", () => {
  it.each([
    ["/api/x", true],
    ["https://app.example/api/x", true],
    ["https://api.example/x", true],
    ["https://api.example:8443/x", false],
    ["http://app.example/api/x", false],
    ["https://app.example.evil.example/", false],
    ["//elsewhere.example/x", false],
    [REFRESH, false],
  ])("%s: %s", async (url, expected) => {
    const world = signedIn();
    const tab = world.tab({ origins: ["https://api.example"] });
    await outcome(world, tab.session.fetch(url, { method: "POST", body: "{}" }), 10);
    expect(authorization(world.service.calls[0]?.init ?? {}) !== null).toBe(expected);
  });

  it("is no matter of a foreign address, whose 401 ends nothing", async () => {
    const world = expiredWorld();
    const tab = world.tab();
    const { error } = await outcome(world, tab.session.fetch("https://elsewhere.example/x"));
    expect(error).toMatchObject({ status: 401 });
    expect(tab.logouts).toEqual([]);
    expect(tab.session.getToken()).toBeDefined();
  });

  it("patches nothing global", () => {
    const before = globalThis.fetch;
    createWorld().tab();
    expect(globalThis.fetch).toBe(before);
  });
});
