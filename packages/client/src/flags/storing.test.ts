import { expect, it } from "vitest";
import { always, perUser } from "./fixture/service";
import { createWorld, outcome, value, type World } from "./fixture/world";
import type { FlagCache, FlagKind } from "./index";

const KEY = "fwf-flags-db";
const stored = ({ disk }: World) => [...disk.keys()].filter((key) => key.includes(KEY));
const WEEK_MS = 7 * 24 * 3_600_000;

function setUpWorld() {
  const world = createWorld();
  world.service.flags.set("on", always(true)).set("own", perUser);
  return world;
}

const KINDS: readonly FlagKind[] = [
  "OFF",
  "OVERRIDE",
  "PREREQUISITE_FAILED",
  "HOLDOUT",
  "TARGET",
  "RULE",
  "ROLLOUT",
  "AB_TEST",
  "DEFAULT",
  "ERROR",
  "FALLBACK",
];

for (const kind of KINDS) {
  for (const variation of [true, false, 0, "", null]) {
    for (const subscribed of [true, false]) {
      for (const cache of ["indexeddb", null] as const) {
        const allowed =
          subscribed && cache && variation !== null && kind !== "ERROR" && kind !== "FALLBACK";
        it(`${kind} ${JSON.stringify(variation)} ${subscribed ? "" : "not "}subscribed, cache ${cache}: ${allowed ? "stored" : "not stored"}`, async () => {
          const world = setUpWorld();
          world.service.flags.set("flag", () => ({ variation, explanation: { kind, from: "x" } }));
          const { client } = world.tab({ cache, subscribe: subscribed ? ["flag"] : [] });
          void client.setUser({ userId: "r1" });
          await value(world, client.getFlag("flag", "mine"));
          expect(stored(world).length).toBe(allowed ? 1 : 0);
        });
      }
    }
  }
}

it("removes a stored result when the flag no longer exists", async () => {
  const world = setUpWorld();
  const { client } = world.tab({ subscribe: ["own"], ttlMs: 1_000 });
  void client.setUser({ userId: "r1" });
  await value(world, client.getFlag("own", ""));
  expect(stored(world).length).toBe(1);
  world.service.flags.delete("own");
  world.service.version += 1;
  await world.clock.advance(2_000);
  expect((await value(world, client.getFlag("own", "mine"))).variation).toBe("mine");
  expect(stored(world)).toEqual([]);
});

it("stores no readable id of the user", async () => {
  const world = setUpWorld();
  const { client } = world.tab({ subscribe: ["on", "own"] });
  void client.setUser({ userId: "rider-5417", email: "ana@riders.example" });
  await value(world, client.getFlag("on", false));
  const keys = [...world.disk.keys()].join();
  const owners = JSON.stringify(
    [...world.disk.values()].map((entry) => ({ ...(entry as object), result: 0, tag: 0 })),
  );
  expect(keys + owners).not.toMatch(/rider-5417|ana@/);
});

it("stores the version of the configuration and the ETag of the results", async () => {
  const world = setUpWorld();
  world.service.version = 412;
  const { client } = world.tab({ subscribe: ["on"] });
  void client.setUser({ userId: "r1" });
  await value(world, client.getFlag("on", false));
  const source = [...world.disk].find(([key]) => key.includes("version_flags"))?.[1];
  expect(source).toMatchObject({ version: 412, tag: expect.stringMatching(/./) });
});

it("returns the stored value after a reload and refetches it only when stale", async () => {
  const world = setUpWorld();
  const first = world.tab({ subscribe: ["own"] });
  void first.client.setUser({ userId: "r1" });
  await value(world, first.client.getFlag("own", ""));
  first.kill();
  const calls = world.service.calls.length;
  const { client } = world.tab({ subscribe: ["own"] });
  await value(world, client.setUser({ userId: "r1" }), 0);
  expect(client.peek("own")).toMatchObject({ status: "cached", result: { variation: "of r1" } });
  expect((await value(world, client.getFlag("own", ""))).variation).toBe("of r1");
  expect(world.service.calls.length).toBe(calls);
  await world.clock.advance(16 * 60_000);
  expect(world.service.calls.length).toBe(calls + 1);
  expect(client.peek("own")?.status).toBe("fresh");
});

it("returns the last values as cached within 3 s after a week without the service", async () => {
  const world = setUpWorld();
  const first = world.tab({ subscribe: ["own"] });
  void first.client.setUser({ userId: "r1" });
  await value(world, first.client.getFlag("own", ""));
  first.kill();
  world.service.down = "hang";
  await world.clock.advance(WEEK_MS);
  const { client } = world.tab({ subscribe: ["own"] });
  void client.setUser({ userId: "r1" });
  const startMs = world.clock.now();
  const result = await value(world, client.getFlag("own", "mine"), 3_000);
  expect(world.clock.now() - startMs).toBe(3_000);
  expect(result.variation).toBe("of r1");
  expect(world.clock.now() - Date.parse(result.dateCached ?? "")).toBeGreaterThanOrEqual(WEEK_MS);
  expect(client.peek("own")?.status).toBe("cached");
});

it("returns values stored before the clock was set back, and refetches them once", async () => {
  const world = setUpWorld();
  const first = world.tab({ subscribe: ["own"] });
  void first.client.setUser({ userId: "r1" });
  await value(world, first.client.getFlag("own", ""));
  const before = world.service.evaluations().length;
  world.skewMs = -3_600_000;
  // The results of the open page have not aged.
  await world.clock.advance(60_000);
  expect(world.service.evaluations().length).toBe(before);
  first.kill();
  const { client } = world.tab({ subscribe: ["own"] });
  void client.setUser({ userId: "r1" });
  expect((await value(world, client.getFlag("own", ""))).variation).toBe("of r1");
  await world.clock.advance(10 * 60_000);
  expect(world.service.evaluations().length).toBe(before + 1);
  expect(client.peek("own")?.status).toBe("fresh");
});

it.each(["blocked", "full", "never"] as const)(
  "returns flags with a disk that is %s",
  async (disk) => {
    const world = setUpWorld();
    world.broken.disk = disk;
    const tab = world.tab({ subscribe: ["own"] });
    void tab.client.setUser({ userId: "r1" });
    expect((await value(world, tab.client.getFlag("own", ""))).variation).toBe("of r1");
    const calls = world.service.calls.length;
    expect((await value(world, tab.client.getFlag("own", ""))).variation).toBe("of r1");
    expect(world.service.calls.length).toBe(calls);
    const expected = disk === "blocked" ? ["Browser doesn't support Localstorage"] : [];
    expect(tab.warnings).toEqual(expected);
  },
);

it("works from memory and warns once without local storage and channel", async () => {
  const world = setUpWorld();
  world.broken = { disk: "blocked", storage: "blocked", channel: "absent", lock: "absent" };
  const tab = world.tab({ subscribe: ["own"] });
  for (const userId of ["r1", "r2"]) {
    void tab.client.setUser({ userId });
    expect((await value(world, tab.client.getFlag("own", ""))).variation).toBe(`of ${userId}`);
  }
  expect(tab.warnings).toEqual(["Browser doesn't support Localstorage"]);
});

it("does not delay requests for a slow disk, but waits for it if the service does not respond", async () => {
  const world = setUpWorld();
  const first = world.tab({ subscribe: ["own"] });
  void first.client.setUser({ userId: "r1" });
  await value(world, first.client.getFlag("own", ""));
  first.kill();
  world.diskMs = 2_000;
  world.service.down = "network";
  const second = world.tab({ subscribe: ["own"] });
  void second.client.setUser({ userId: "r1" });
  const late = await outcome(world, second.client.getFlag("own", "mine"));
  expect(late).toMatchObject({ value: { variation: "of r1" }, atMs: 2_000 });
  world.service.down = undefined;
  const third = world.tab({ subscribe: ["own"] });
  void third.client.setUser({ userId: "r1" });
  const fetched = await outcome(world, third.client.getFlag("own", "mine"));
  expect(fetched.value?.variation).toBe("of r1");
  expect(fetched.atMs).toBeLessThan(2_100);
});

it("writes nothing to the disk with the cache memory", async () => {
  const world = setUpWorld();
  const { client } = world.tab({ subscribe: ["own"], cache: "memory" });
  void client.setUser({ userId: "r1" });
  await value(world, client.getFlag("own", ""));
  const calls = world.service.calls.length;
  await value(world, client.getFlag("own", ""));
  expect(world.service.calls.length).toBe(calls);
  expect(world.disk.size).toBe(0);
});

it("without a cache fetches on every call and still updates subscribed flags", async () => {
  const world = setUpWorld();
  const { client } = world.tab({ subscribe: ["own"], cache: null });
  void client.setUser({ userId: "r1" });
  await value(world, client.getFlag("own", ""));
  const calls = world.service.calls.length;
  const result = await value(world, client.getFlag("own", ""));
  expect(result.dateCached).toBeUndefined();
  expect(world.service.calls.length).toBe(calls + 1);
  expect(client.peek("own")).toMatchObject({ status: "fresh", result: { variation: "of r1" } });
});

it("works with a synchronous cache of the host", async () => {
  const world = setUpWorld();
  const map = new Map<string, unknown>();
  const cache: FlagCache = {
    get: (key) => map.get(key),
    set: (key, stored) => map.set(key, stored),
    delete: (key) => map.delete(key),
    clear: () => map.clear(),
  };
  const first = world.tab({ subscribe: ["own"], cache });
  void first.client.setUser({ userId: "r1" });
  await value(world, first.client.getFlag("own", ""));
  expect([...map.keys()].sort()).toEqual(["fwf-flags-db:own", "version_flags:current"]);
  first.kill();
  world.service.down = "network";
  const { client } = world.tab({ subscribe: ["own"], cache });
  void client.setUser({ userId: "r1" });
  expect((await value(world, client.getFlag("own", ""))).variation).toBe("of r1");
  await value(world, client.clearUser());
  expect(map.size).toBe(0);
});

it("keeps the results of two clients of one origin separate", async () => {
  const world = setUpWorld();
  const first = world.tab({ subscribe: ["on"], token: "production" });
  void first.client.setUser({ userId: "r1" });
  await value(world, first.client.getFlag("on", false));
  world.service.down = "network";
  const { client } = world.tab({ subscribe: ["on"], token: "staging" });
  void client.setUser({ userId: "r1" });
  expect((await value(world, client.getFlag("on", false))).explanation.kind).toBe("FALLBACK");
});
