import { expect, it, vi } from "vitest";
import { always, perUser } from "./fixture/service";
import { createWorld, type Tab, value, type World } from "./fixture/world";
import type { FlagClientOptions } from "./index";

const MINUTE_MS = 60_000;

function setUpWorld() {
  const world = createWorld();
  world.service.flags.set("on", always(true)).set("own", perUser);
  return world;
}

async function signedIn(world: World, options: Partial<FlagClientOptions> = {}): Promise<Tab> {
  const tab = world.tab({ subscribe: ["on", "own"], ...options });
  await value(world, tab.client.setUser({ userId: "r1" }), 100);
  return tab;
}

it("fetches all subscribed flags in one request after setUser", async () => {
  const world = setUpWorld();
  await signedIn(world);
  expect(world.service.calls.map(({ path, body }) => [path, body])).toEqual([
    ["v3/features", { userId: "r1", featureList: ["on", "own"] }],
  ]);
});

it("refetches results older than 15 minutes with the ETag, and checks their age every 60 s", async () => {
  const world = setUpWorld();
  const { client } = await signedIn(world);
  await world.clock.advance(15 * MINUTE_MS - 100);
  expect(world.service.evaluations().length).toBe(1);
  expect(client.peek("on")?.status).toBe("fresh");
  await world.clock.advance(MINUTE_MS);
  expect(world.service.evaluations().length).toBe(2);
  expect(world.service.evaluations()[1]?.headers["If-None-Match"]).toMatch(/./);
  const { dateCached } = await value(world, client.getFlag("on", false), 100);
  expect(world.clock.now() - Date.parse(dateCached ?? "")).toBeLessThan(MINUTE_MS);
});

it("uses the option ttlMs", async () => {
  const world = setUpWorld();
  await signedIn(world, { ttlMs: 5 * MINUTE_MS });
  await world.clock.advance(60 * MINUTE_MS);
  // Every sixth minute, at the first check with results older than five minutes.
  expect(world.service.evaluations().length).toBe(11);
});

it("marks results as fresh after 304 Not Modified, also for the next page", async () => {
  const world = setUpWorld();
  const tab = await signedIn(world);
  await world.clock.advance(16 * MINUTE_MS);
  expect(tab.client.peek("own")).toMatchObject({ status: "fresh", result: { variation: "of r1" } });
  tab.kill();
  await world.clock.advance(10 * MINUTE_MS);
  const calls = world.service.calls.length;
  const next = await signedIn(world);
  expect(next.client.peek("own")?.result.variation).toBe("of r1");
  expect(world.service.calls.length).toBe(calls);
});

it("sends no ETag if one of the results is missing", async () => {
  const world = setUpWorld();
  const { client } = await signedIn(world, { subscribe: ["on"] });
  const stop = client.subscribe(["own"], () => {});
  await world.clock.advance(100);
  expect(world.service.evaluations()[1]?.headers).not.toHaveProperty("If-None-Match");
  expect(client.peek("own")?.result.variation).toBe("of r1");
  stop();
});

it("sees a change at the next check after the results are stale", async () => {
  const world = setUpWorld();
  const { client } = await signedIn(world);
  world.service.publish("on", always(false));
  await world.clock.advance(16 * MINUTE_MS);
  expect(client.peek("on")?.result.variation).toBe(false);
});

it("keeps stale results as cached and retries every 60 s if the service does not respond", async () => {
  const world = setUpWorld();
  const { client } = await signedIn(world);
  world.service.down = 503;
  await world.clock.advance(16 * MINUTE_MS);
  expect(client.peek("on")).toMatchObject({ status: "cached", result: { variation: true } });
  const calls = world.service.calls.length;
  await world.clock.advance(3 * MINUTE_MS);
  expect(world.service.calls.length).toBe(calls + 3);
  world.service.down = undefined;
  await world.clock.advance(MINUTE_MS);
  expect(client.peek("on")?.status).toBe("fresh");
});

it("ends a request without a response after 10 s and retries at the next check", async () => {
  const world = setUpWorld();
  const { client } = await signedIn(world);
  world.service.down = "ignores-abort";
  await world.clock.advance(16 * MINUTE_MS + 30_000);
  const calls = world.service.calls.length;
  world.service.down = undefined;
  await world.clock.advance(MINUTE_MS);
  expect(world.service.calls.length).toBe(calls + 1);
  expect(client.peek("on")?.status).toBe("fresh");
});

it("refetches only while the page is visible, and at once when it becomes visible again", async () => {
  const world = setUpWorld();
  const tab = await signedIn(world);
  tab.visible = false;
  tab.page("hide");
  await world.clock.advance(120 * MINUTE_MS);
  expect(world.service.evaluations().length).toBe(1);
  tab.visible = true;
  tab.page("wake");
  await world.clock.advance(100);
  expect(world.service.evaluations().length).toBe(2);
  expect(tab.client.peek("on")?.status).toBe("fresh");
});

it("checks on focus and when online again, and fetches only stale results", async () => {
  const world = setUpWorld();
  const tab = await signedIn(world);
  for (let count = 0; count < 20; count += 1) tab.page("wake");
  await world.clock.advance(100);
  expect(world.service.evaluations().length).toBe(1);
  world.service.down = "network";
  await world.clock.advance(16 * MINUTE_MS);
  world.service.down = undefined;
  tab.page("wake");
  await world.clock.advance(100);
  expect(tab.client.peek("on")?.status).toBe("fresh");
});

it.each([5, 2])("%i tabs started at once share one request and its response", async (count) => {
  const world = setUpWorld();
  const tabs = Array.from({ length: count }, () => world.tab({ subscribe: ["on", "own"] }));
  const pending = tabs.map(({ client }) => {
    void client.setUser({ userId: "r1" });
    return client.getFlag("own", "mine");
  });
  const results = await value(world, Promise.all(pending));
  expect(results.map(({ variation }) => variation)).toEqual(tabs.map(() => "of r1"));
  expect(world.service.evaluations().length).toBe(1);
  await world.clock.advance(16 * MINUTE_MS);
  expect(world.service.evaluations().length).toBe(2);
  for (const { client } of tabs) expect(client.peek("own")?.status).toBe("fresh");
});

it("a hidden tab receives the results that a visible tab fetched", async () => {
  const world = setUpWorld();
  const [visible, hidden] = [await signedIn(world), await signedIn(world)];
  hidden.visible = false;
  hidden.page("hide");
  world.service.publish("on", always(false));
  await world.clock.advance(16 * MINUTE_MS);
  expect(visible.client.peek("on")?.result.variation).toBe(false);
  expect(hidden.client.peek("on")?.result.variation).toBe(false);
});

it("keeps the results of two users in two tabs separate", async () => {
  const world = setUpWorld();
  const first = await signedIn(world);
  const second = world.tab({ subscribe: ["own"] });
  await value(world, second.client.setUser({ userId: "r2" }), 100);
  await world.clock.advance(60 * MINUTE_MS);
  expect(first.client.peek("own")?.result.variation).toBe("of r1");
  expect(second.client.peek("own")?.result.variation).toBe("of r2");
});

it.each(["never", "refused", "absent"] as const)(
  "waits at most 10 s for a lock that is %s",
  async (lock) => {
    const world = setUpWorld();
    world.broken.lock = lock;
    const tab = world.tab({ subscribe: ["own"] });
    void tab.client.setUser({ userId: "r1" });
    await world.clock.advance(10_100);
    expect(tab.client.peek("own")?.result.variation).toBe("of r1");
  },
);

it("another tab fetches when a tab is killed during its request", async () => {
  const world = setUpWorld();
  world.service.failures.push("ignores-abort");
  const first = world.tab({ subscribe: ["own"] });
  void first.client.setUser({ userId: "r1" });
  await world.clock.advance(100);
  const second = world.tab({ subscribe: ["own"] });
  void second.client.setUser({ userId: "r1" });
  await world.clock.advance(100);
  first.kill();
  await world.clock.advance(100);
  expect(second.client.peek("own")?.result.variation).toBe("of r1");
});

it("notifies a subscriber only of changes of its flags, even if another listener throws", async () => {
  const world = setUpWorld();
  const { client } = await signedIn(world, { subscribe: [] });
  const notified: string[] = [];
  const stop = client.subscribe(["own"], () => notified.push("own"));
  const errors: unknown[] = [];
  vi.stubGlobal("queueMicrotask", (run: () => void) =>
    Promise.resolve()
      .then(run)
      .catch((error) => errors.push(error)),
  );
  client.subscribe(["on"], () => {
    throw new Error("an error of the host");
  });
  client.subscribe([], () => notified.push("any"));
  await world.clock.advance(100);
  expect(notified).toContain("own");
  expect(notified).toContain("any");
  expect(errors.length).toBeGreaterThan(0);
  notified.length = 0;
  stop();
  world.service.publish("own", always("new"));
  await world.clock.advance(20 * MINUTE_MS);
  expect(notified).not.toContain("own");
});

it("sends one request for ten subscriptions at once", async () => {
  const world = setUpWorld();
  const { client } = await signedIn(world, { subscribe: [] });
  for (let count = 0; count < 10; count += 1)
    client.subscribe([count % 2 ? "on" : "own"], () => {});
  await world.clock.advance(100);
  expect(world.service.evaluations().length).toBe(1);
});

it("peek and snapshot return the same object until something changes", async () => {
  const world = setUpWorld();
  const { client } = await signedIn(world);
  const before = client.peek("own");
  const snapshot = client.snapshot();
  await world.clock.advance(5 * MINUTE_MS);
  expect(client.peek("own")).toBe(before);
  expect(client.snapshot()).toBe(snapshot);
});

it("uses the bootstrap without a request and revalidates it when it is stale", async () => {
  const world = setUpWorld();
  const flags = {
    own: {
      variation: "of r1",
      abTest: false,
      explanation: { kind: "RULE", from: "rule:own" },
      relevantContext: ["userId"],
      holdoutsEvaluations: [],
    },
  } as const;
  const { client } = world.tab({ bootstrap: { user: { userId: "r1" }, flags } });
  expect(client.peek("own")).toMatchObject({ status: "fresh", result: { variation: "of r1" } });
  expect((await value(world, client.getFlag("own", ""), 0)).variation).toBe("of r1");
  expect(world.service.calls).toEqual([]);
  await world.clock.advance(16 * MINUTE_MS);
  expect(world.service.evaluations().length).toBe(1);
  void client.setUser({ userId: "r2" });
  expect(client.peek("own")).toBeUndefined();
});

it("an override has priority, survives a reload and can be removed", async () => {
  const world = setUpWorld();
  const tab = await signedIn(world);
  tab.client.overrides.set("on", false);
  expect(await value(world, tab.client.getFlag("on", true))).toMatchObject({
    variation: false,
    explanation: { kind: "OVERRIDE", from: "client:override" },
  });
  expect((await value(world, tab.client.getFlags(["on", "own"]))).on.variation).toBe(false);
  expect((await value(world, tab.client.getAllFlags())).on?.variation).toBe(false);
  expect(tab.client.peek("on")?.result.variation).toBe(false);
  expect(tab.client.peek("on")).toBe(tab.client.peek("on"));
  tab.kill();
  const { client } = await signedIn(world);
  expect(client.overrides.list()).toEqual({ on: false });
  expect(client.snapshot().flags.find(({ key }) => key === "on")).toMatchObject({
    overridden: true,
  });
  client.overrides.set("own", "x");
  client.overrides.clear("on");
  expect(client.overrides.list()).toEqual({ own: "x" });
  client.overrides.clear();
  expect(client.overrides.list()).toEqual({});
  expect(client.peek("own")?.result.variation).toBe("of r1");
});
