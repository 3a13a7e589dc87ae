import { describe, expect, it } from "vitest";
import { SessionError } from "./failure";
import type { Failure } from "./testing/service";
import {
  API,
  createWorld,
  expiredWorld,
  outcome,
  REFRESH,
  signedIn,
  type World,
} from "./testing/world";

/** Sends one request with an expired token, and injects these failures into its refreshes. */
async function requestWithExpiredToken(failures: (Failure | undefined)[], forMs = 12_000) {
  const world = expiredWorld();
  world.service.failures.push(...failures);
  const tab = world.tab();
  const before = tab.session.getToken();
  const result = await outcome(world, tab.session.fetch(API), forMs);
  const isTokenUnchanged = tab.session.getToken() === before;
  return {
    world,
    tab,
    isTokenUnchanged,
    refreshCount: world.service.refreshes().length,
    ...result,
  };
}

const headersOf = (world: World) => new Headers(world.service.refreshes()[0]?.init.headers);

describe("the refresh", () => {
  it("posts the refresh token as JSON with the instance of the profile", async () => {
    const { world } = await requestWithExpiredToken([]);
    const [call] = world.service.refreshes();
    expect(call).toMatchObject({ url: REFRESH, init: { method: "POST" } });
    expect(call?.init.body).toMatch(/^\{"refresh_token":"s2\.0"\}$/);
    expect(headersOf(world).get("content-type")).toBe("application/json");
    expect(headersOf(world).get("x-musette-instance")).toBe("profile-1");
    expect(headersOf(world).has("x-musette-cookies")).toBe(false);
    expect(headersOf(world).has("authorization")).toBe(false);
  });

  it("writes the new tokens to the cookies", async () => {
    const { world, tab, isTokenUnchanged } = await requestWithExpiredToken([]);
    expect(isTokenUnchanged).toBe(false);
    expect(world.jar.get("dhh_token")).toBe(tab.session.getToken());
    expect(world.jar.get("refresh_token")).toBe("s2.1");
  });

  it("sends no body and stores no refresh token in the hardened profile", async () => {
    const world = expiredWorld();
    world.jar.delete("refresh_token");
    const { refresh } = world.service;
    world.service.refresh = (body, failure) => {
      expect(body).toBe("undefined");
      return refresh('{"refresh_token":"s2.0"}', failure);
    };
    const tab = world.tab({ cookies: "hardened" });
    const { value } = await outcome(world, tab.session.fetch(API));
    expect(value?.ok).toBe(true);
    expect(headersOf(world).get("x-musette-cookies")).toBe("hardened");
    expect(world.jar.has("refresh_token")).toBe(false);
    expect(world.shared.refresh).toBeUndefined();
  });
});

describe("a refresh that a firewall answers with a page", () => {
  it("is no answer: the tokens stay and the next refresh works", async () => {
    const { world, tab } = await requestWithExpiredToken(["page"]);
    expect(tab.logouts).toMatchObject([{ reason: "refresh_unavailable", final: false }]);
    await world.clock.advance(70_000);
    const { value } = await outcome(world, tab.session.fetch(API));
    expect(value?.ok).toBe(true);
  });
});

describe("a refresh that the server rejects", () => {
  it.each([401, 403] as const)(
    "with %i is final, calls onLogout once and ends the session",
    async (status) => {
      const { tab, error, refreshCount, world } = await requestWithExpiredToken([status]);
      expect(error).toMatchObject({ message: "Request failed with status code 401", status: 401 });
      expect((error as Error).cause).toMatchObject({ reason: "refresh_rejected", final: true });
      expect(tab.logouts).toMatchObject([{ reason: "refresh_rejected", final: true, status: 401 }]);
      expect(tab.logouts[0]?.request?.url).toBe(`https://app.example${API}`);
      expect(refreshCount).toBe(1);
      expect([...world.jar.keys()]).toEqual([]);
    },
  );

  it("calls onLogout once for all waiting requests and rejects each with its own error", async () => {
    const world = expiredWorld();
    world.service.failures.push(401);
    const tab = world.tab();
    const requests = Array.from({ length: 50 }, () => tab.session.fetch(API));
    const { value } = await outcome(world, Promise.allSettled(requests));
    const errors = new Set(value?.map((each) => each.status === "rejected" && each.reason));
    expect(errors.size).toBe(50);
    expect(tab.logouts).toHaveLength(1);
  });

  it("with an unusable response is final: invalid_token", async () => {
    const { tab, error, refreshCount } = await requestWithExpiredToken(["unusable"]);
    expect((error as Error).cause).toMatchObject({
      message: expect.stringMatching(/^Invalid token specified/),
    });
    expect(tab.logouts).toMatchObject([{ reason: "invalid_token", final: true }]);
    expect(refreshCount).toBe(1);
  });
});

describe("a refresh without a response", () => {
  it.each<[string, (Failure | undefined)[], number]>([
    ["the network fails once", ["network", undefined], 2],
    ["the network fails twice", ["network", "network", undefined], 3],
    ["the response is lost", ["lost", undefined], 2],
    ["the response is a hotel's sign-in page", ["garbage", undefined], 2],
    ["503, then a success", [503, undefined], 2],
  ])("is retried with the same body: %s", async (_, failures, times) => {
    const { value, refreshCount, tab, world } = await requestWithExpiredToken(failures);
    expect(value?.status).toBe(200);
    expect(refreshCount).toBe(times);
    const bodies = new Set(world.service.refreshes().map(({ init }) => init.body));
    expect(bodies.size).toBe(1);
    expect(world.service.reused).toBe(0);
    expect(tab.logouts).toEqual([]);
  });

  it("is retried at most twice in 8 s, and then keeps the tokens", async () => {
    const { error, refreshCount, tab, isTokenUnchanged } = await requestWithExpiredToken(
      ["network", "network", "network"],
      3_900,
    );
    expect(refreshCount).toBe(3);
    expect(error).toMatchObject({ status: 401 });
    expect((error as Error).cause).toMatchObject({ reason: "refresh_unavailable", final: false });
    expect(tab.logouts).toMatchObject([
      { reason: "refresh_unavailable", final: false, status: 401 },
    ]);
    expect(isTokenUnchanged).toBe(true);
    expect(tab.session.getState()).toEqual({ status: "suspended", userId: "r1" });
  });

  it.each<Failure>([500, 404, 429])(
    "%s: is not retried at once and keeps the tokens",
    async (failure) => {
      const { refreshCount, isTokenUnchanged, tab } = await requestWithExpiredToken(
        [failure],
        1_900,
      );
      expect(refreshCount).toBe(1);
      expect(isTokenUnchanged).toBe(true);
      expect(tab.logouts).toMatchObject([{ reason: "refresh_unavailable", final: false }]);
    },
  );

  it("blocks a request for at most 8 s", async () => {
    const { error, isTokenUnchanged } = await requestWithExpiredToken(
      ["hang", "hang", "hang"],
      8_010,
    );
    expect(error).toMatchObject({ status: 401 });
    expect(isTokenUnchanged).toBe(true);
  });

  it("is aborted after 8 s", async () => {
    const { world } = await requestWithExpiredToken(["hang"], 8_010);
    expect(world.service.refreshes()[0]?.init.signal?.aborted).toBe(true);
  });
});

describe("a suspended session", () => {
  it("retries later and recovers without another call of onLogout", async () => {
    const { tab } = await requestWithExpiredToken(["network", "network", "network"]);
    expect(tab.session.getState().status).toBe("signed-in");
    expect(tab.logouts).toHaveLength(1);
  });

  it("retries when online or visible again", async () => {
    const { tab, world } = await requestWithExpiredToken([500], 100);
    expect(tab.session.getState().status).toBe("suspended");
    tab.wake();
    await world.clock.advance(100);
    expect(tab.session.getState().status).toBe("signed-in");
  });

  it("calls onLogout only once for many failed retries", async () => {
    const { tab, refreshCount } = await requestWithExpiredToken(
      Array.from({ length: 60 }, () => 500),
      600_000,
    );
    expect(refreshCount).toBeGreaterThan(5);
    expect(refreshCount).toBeLessThan(60);
    expect(tab.logouts).toHaveLength(1);
  });

  it("ends when the server rejects a retry", async () => {
    const { tab } = await requestWithExpiredToken([500, 401]);
    expect(tab.logouts.map(({ reason }) => reason)).toEqual([
      "refresh_unavailable",
      "refresh_rejected",
    ]);
    expect(tab.session.getState()).toEqual({ status: "signed-out", userId: undefined });
  });

  it("sends no refresh before the time of Retry-After", async () => {
    const { tab, world } = await requestWithExpiredToken([429], 1_000);
    tab.wake();
    await world.clock.advance(1);
    const { error } = await outcome(world, tab.session.fetch(API), 1_000);
    expect((error as Error).cause).toMatchObject({ reason: "refresh_unavailable" });
    expect(world.service.refreshes()).toHaveLength(1);
    await world.clock.advance(12_000);
    expect(tab.session.getState().status).toBe("signed-in");
  });
});

describe("requests issued while a refresh runs", () => {
  async function startRefresh(failures: Failure[]) {
    const world = expiredWorld();
    world.service.delayMs = 100;
    world.service.failures.push(...failures);
    const tab = world.tab();
    const first = tab.session.fetch(API).catch((error: unknown) => error);
    await world.clock.advance(150);
    expect(world.service.calls.map(({ url }) => url)).toEqual([API, REFRESH]);
    return { world, tab, first };
  }

  it("wait for it and are sent with the new token", async () => {
    const { world, tab } = await startRefresh([]);
    const second = tab.session.fetch("/api/second");
    await world.clock.advance(10);
    expect(world.service.calls).toHaveLength(2);
    const { value } = await outcome(world, second);
    expect(value?.ok).toBe(true);
    const calls = world.service.calls.filter(({ url }) => url === "/api/second");
    expect(calls).toHaveLength(1);
  });

  it("are rejected without being sent if it fails", async () => {
    const { world, tab } = await startRefresh([401]);
    const { error } = await outcome(world, tab.session.fetch("/api/second"));
    expect(error).toBeInstanceOf(SessionError);
    expect(error).toMatchObject({ reason: "refresh_rejected", final: true });
    expect(tab.logouts).toHaveLength(1);
    expect(world.service.calls).toHaveLength(2);
  });

  it("stop waiting when their own signal is aborted", async () => {
    const { world, tab } = await startRefresh(["hang"]);
    const stop = new AbortController();
    const second = tab.session.fetch("/api/second", { signal: stop.signal });
    stop.abort();
    const { error } = await outcome(world, second, 0);
    expect(error).toMatchObject({ name: "AbortError" });
    const third = tab.session.fetch("/api/third", { signal: stop.signal });
    expect((await outcome(world, third, 0)).error).toMatchObject({ name: "AbortError" });
  });

  it("do not wait if they are a refresh or go to another origin", async () => {
    const { world, tab } = await startRefresh(["hang"]);
    const body = JSON.stringify({ refresh_token: "s2.0" });
    const refresh = tab.session.fetch(REFRESH, { method: "POST", body });
    const { value } = await outcome(world, refresh, 200);
    expect(value?.status).toBe(200);
    await outcome(world, tab.session.fetch("https://elsewhere.example/"), 200);
    expect(world.service.calls).toHaveLength(4);
  });
});

describe("the server's clock", () => {
  it.each([
    ["ahead", -7_200_000],
    ["behind", 7_200_000],
  ])("is used when the device's clock is %s", async (_, skewMs) => {
    const world = createWorld();
    world.service.skewMs = skewMs;
    world.signIn(-1);
    const tab = world.tab();
    const { value } = await outcome(world, tab.session.fetch(API));
    expect(value?.status).toBe(200);
    expect(world.service.refreshes()).toHaveLength(1);
    // A valid token that the server rejects does not count as expired.
    world.service.status = () => 401;
    await outcome(world, tab.session.fetch(API));
    expect(world.service.refreshes()).toHaveLength(1);
    expect(tab.logouts).toMatchObject([{ reason: "not_expired" }]);
  });

  it("is rounded up to the end of the second, so that a token never counts as valid too long", async () => {
    const world = signedIn(0.9);
    world.service.status = () => 401;
    const tab = world.tab();
    await outcome(world, tab.session.fetch(API), 100);
    expect(world.service.refreshes()).toHaveLength(1);
  });

  it("is refreshed once if the device's clock is behind and no response shows the time", async () => {
    const world = signedIn(3_600);
    world.service.dates = false;
    world.service.skewMs = 7_200_000;
    const tab = world.tab();
    const { value } = await outcome(world, tab.session.fetch(API));
    expect(value?.ok).toBe(true);
    expect(world.service.refreshes()).toHaveLength(1);
    expect(tab.logouts).toEqual([]);
  });

  it("causes no loop if the device's clock is wrong and there is no Date header", async () => {
    const world = expiredWorld();
    world.service.dates = false;
    world.service.skewMs = -7_200_000;
    world.service.status = () => 401;
    const tab = world.tab();
    await outcome(world, tab.session.fetch(API));
    expect(world.service.refreshes()).toHaveLength(1);
    expect(world.service.calls).toHaveLength(3);
    expect(tab.logouts).toMatchObject([{ reason: "retried" }]);
  });
});
