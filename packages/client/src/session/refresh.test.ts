import { describe, expect, it } from "vitest";
import { SessionError } from "./failure";
import type { Fault } from "./testing/service";
import {
  API,
  createWorld,
  expiredWorld,
  outcome,
  REFRESH,
  signedIn,
  type World,
} from "./testing/world";

/** One request with an expired token, whose refreshes meet these faults. */
async function refreshing(faults: (Fault | undefined)[], forMs = 12_000) {
  const world = expiredWorld();
  world.service.faults.push(...faults);
  const tab = world.tab();
  const before = tab.session.getToken();
  const result = await outcome(world, tab.session.fetch(API), forMs);
  const kept = tab.session.getToken() === before;
  return { world, tab, kept, sent: world.service.refreshes().length, ...result };
}

const headersOf = (world: World) => new Headers(world.service.refreshes()[0]?.init.headers);

describe("the refresh", () => {
  it("is a POST of the refresh token as JSON, with the instance of the profile", async () => {
    const { world } = await refreshing([]);
    const [call] = world.service.refreshes();
    expect(call).toMatchObject({ url: REFRESH, init: { method: "POST" } });
    expect(call?.init.body).toMatch(/^\{"refresh_token":"s2\.0"\}$/);
    expect(headersOf(world).get("content-type")).toBe("application/json");
    expect(headersOf(world).get("x-musette-instance")).toBe("profile-1");
    expect(headersOf(world).has("x-musette-cookies")).toBe(false);
    expect(headersOf(world).has("authorization")).toBe(false);
  });

  it("writes what it got to the cookies", async () => {
    const { world, tab, kept } = await refreshing([]);
    expect(kept).toBe(false);
    expect(world.jar.get("dhh_token")).toBe(tab.session.getToken());
    expect(world.jar.get("refresh_token")).toBe("s2.1");
  });

  it("asks for the hardened profile without a body, and sees no refresh token", async () => {
    const world = expiredWorld();
    world.jar.delete("refresh_token");
    const { refresh } = world.service;
    world.service.refresh = (body, fault) => {
      expect(body).toBe("undefined");
      return refresh('{"refresh_token":"s2.0"}', fault);
    };
    const tab = world.tab({ cookies: "hardened" });
    const { value } = await outcome(world, tab.session.fetch(API));
    expect(value?.ok).toBe(true);
    expect(headersOf(world).get("x-musette-cookies")).toBe("hardened");
    expect(world.jar.has("refresh_token")).toBe(false);
    expect(world.shared.refresh).toBeUndefined();
  });
});

describe("a refresh that the server refuses", () => {
  it.each([401, 403] as const)(
    "with %i is final, told once, and ends the session",
    async (status) => {
      const { tab, error, sent, world } = await refreshing([status]);
      expect(error).toMatchObject({ message: "Request failed with status code 401", status: 401 });
      expect((error as Error).cause).toMatchObject({ reason: "refresh_rejected", final: true });
      expect(tab.logouts).toMatchObject([{ reason: "refresh_rejected", final: true, status: 401 }]);
      expect(tab.logouts[0]?.request?.url).toBe(`https://app.example${API}`);
      expect(sent).toBe(1);
      expect([...world.jar.keys()]).toEqual([]);
    },
  );

  it("is told once for all that waited, each of which is rejected with its own error", async () => {
    const world = expiredWorld();
    world.service.faults.push(401);
    const tab = world.tab();
    const requests = Array.from({ length: 50 }, () => tab.session.fetch(API));
    const { value } = await outcome(world, Promise.allSettled(requests));
    const errors = new Set(value?.map((each) => each.status === "rejected" && each.reason));
    expect(errors.size).toBe(50);
    expect(tab.logouts).toHaveLength(1);
  });

  it("whose answer is unusable is final as well: invalid_token", async () => {
    const { tab, error, sent } = await refreshing(["unusable"]);
    expect((error as Error).cause).toMatchObject({
      message: expect.stringMatching(/^Invalid token specified/),
    });
    expect(tab.logouts).toMatchObject([{ reason: "invalid_token", final: true }]);
    expect(sent).toBe(1);
  });
});

describe("a refresh without an answer", () => {
  it.each<[string, (Fault | undefined)[], number]>([
    ["the network fails once", ["network", undefined], 2],
    ["the network fails twice", ["network", "network", undefined], 3],
    ["the answer is lost on its way", ["lost", undefined], 2],
    ["a hotel's sign-in page comes instead", ["garbage", undefined], 2],
    ["503, then an answer", [503, undefined], 2],
  ])("is sent again, the same: %s", async (_, faults, times) => {
    const { value, sent, tab, world } = await refreshing(faults);
    expect(value?.status).toBe(200);
    expect(sent).toBe(times);
    const bodies = new Set(world.service.refreshes().map(({ init }) => init.body));
    expect(bodies.size).toBe(1);
    expect(world.service.reused).toBe(0);
    expect(tab.logouts).toEqual([]);
  });

  it("is sent again at most twice in 8 s, and then keeps the tokens", async () => {
    const { error, sent, tab, kept } = await refreshing(["network", "network", "network"], 3_900);
    expect(sent).toBe(3);
    expect(error).toMatchObject({ status: 401 });
    expect((error as Error).cause).toMatchObject({ reason: "refresh_unavailable", final: false });
    expect(tab.logouts).toMatchObject([
      { reason: "refresh_unavailable", final: false, status: 401 },
    ]);
    expect(kept).toBe(true);
    expect(tab.session.getState()).toEqual({ status: "suspended", userId: "r1" });
  });

  it.each<Fault>([500, 404, 429])("%s: not sent again at once, tokens kept", async (fault) => {
    const { sent, kept, tab } = await refreshing([fault], 1_900);
    expect(sent).toBe(1);
    expect(kept).toBe(true);
    expect(tab.logouts).toMatchObject([{ reason: "refresh_unavailable", final: false }]);
  });

  it("that hangs blocks nobody for longer than 8 s", async () => {
    const { error, kept } = await refreshing(["hang", "hang", "hang"], 8_010);
    expect(error).toMatchObject({ status: 401 });
    expect(kept).toBe(true);
  });

  it("that hangs is aborted", async () => {
    const { world } = await refreshing(["hang"], 8_010);
    expect(world.service.refreshes()[0]?.init.signal?.aborted).toBe(true);
  });
});

describe("a suspended session", () => {
  it("tries again after a while, and then serves as before, without telling the host", async () => {
    const { tab } = await refreshing(["network", "network", "network"]);
    expect(tab.session.getState().status).toBe("signed-in");
    expect(tab.logouts).toHaveLength(1);
  });

  it("tries again when online or visible", async () => {
    const { tab, world } = await refreshing([500], 100);
    expect(tab.session.getState().status).toBe("suspended");
    tab.wake();
    await world.clock.advance(100);
    expect(tab.session.getState().status).toBe("signed-in");
  });

  it("tells only once, however often its own tries fail", async () => {
    const { tab, sent } = await refreshing(
      Array.from({ length: 60 }, () => 500),
      600_000,
    );
    expect(sent).toBeGreaterThan(5);
    expect(sent).toBeLessThan(60);
    expect(tab.logouts).toHaveLength(1);
  });

  it("ends when its own try is refused", async () => {
    const { tab } = await refreshing([500, 401]);
    expect(tab.logouts.map(({ reason }) => reason)).toEqual([
      "refresh_unavailable",
      "refresh_rejected",
    ]);
    expect(tab.session.getState()).toEqual({ status: "signed-out", userId: undefined });
  });

  it("asks nobody before the time that the server told", async () => {
    const { tab, world } = await refreshing([429], 1_000);
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
  async function waiting(faults: Fault[]) {
    const world = expiredWorld();
    world.service.delayMs = 100;
    world.service.faults.push(...faults);
    const tab = world.tab();
    const first = tab.session.fetch(API).catch((error: unknown) => error);
    await world.clock.advance(150);
    expect(world.service.calls.map(({ url }) => url)).toEqual([API, REFRESH]);
    return { world, tab, first };
  }

  it("wait for its end, and go out with the new token", async () => {
    const { world, tab } = await waiting([]);
    const second = tab.session.fetch("/api/second");
    await world.clock.advance(10);
    expect(world.service.calls).toHaveLength(2);
    const { value } = await outcome(world, second);
    expect(value?.ok).toBe(true);
    const times = world.service.calls.filter(({ url }) => url === "/api/second");
    expect(times).toHaveLength(1);
  });

  it("are rejected when it fails, without having been sent", async () => {
    const { world, tab } = await waiting([401]);
    const { error } = await outcome(world, tab.session.fetch("/api/second"));
    expect(error).toBeInstanceOf(SessionError);
    expect(error).toMatchObject({ reason: "refresh_rejected", final: true });
    expect(tab.logouts).toHaveLength(1);
    expect(world.service.calls).toHaveLength(2);
  });

  it("wait no longer than their own signal says", async () => {
    const { world, tab } = await waiting(["hang"]);
    const stop = new AbortController();
    const second = tab.session.fetch("/api/second", { signal: stop.signal });
    stop.abort();
    const { error } = await outcome(world, second, 0);
    expect(error).toMatchObject({ name: "AbortError" });
    const third = tab.session.fetch("/api/third", { signal: stop.signal });
    expect((await outcome(world, third, 0)).error).toMatchObject({ name: "AbortError" });
  });

  it("do not wait when they are the refresh itself, or go elsewhere", async () => {
    const { world, tab } = await waiting(["hang"]);
    const body = JSON.stringify({ refresh_token: "s2.0" });
    const own = tab.session.fetch(REFRESH, { method: "POST", body });
    const { value } = await outcome(world, own, 200);
    expect(value?.status).toBe(200);
    await outcome(world, tab.session.fetch("https://elsewhere.example/"), 200);
    expect(world.service.calls).toHaveLength(4);
  });
});

describe("the clock", () => {
  it.each([
    ["ahead", -7_200_000],
    ["behind", 7_200_000],
  ])("of a device that is %s: the server's is taken", async (_, skewMs) => {
    const world = createWorld();
    world.service.skewMs = skewMs;
    world.signIn(-1);
    const tab = world.tab();
    const { value } = await outcome(world, tab.session.fetch(API));
    expect(value?.status).toBe(200);
    expect(world.service.refreshes()).toHaveLength(1);
    // And a good token that is refused is not taken for an expired one.
    world.service.status = () => 401;
    await outcome(world, tab.session.fetch(API));
    expect(world.service.refreshes()).toHaveLength(1);
    expect(tab.logouts).toMatchObject([{ reason: "not_expired" }]);
  });

  it("is read to the end of its second, so that nobody is logged out by a rounding", async () => {
    const world = signedIn(0.9);
    world.service.status = () => 401;
    const tab = world.tab();
    await outcome(world, tab.session.fetch(API), 100);
    expect(world.service.refreshes()).toHaveLength(1);
  });

  it("that is wrong without a Date header makes no loop", async () => {
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
