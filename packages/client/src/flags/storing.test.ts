import { expect, it } from "vitest";
import { always, own } from "./fixture/service";
import { createWorld, outcome, value, type World } from "./fixture/world";
import type { FlagCache, FlagKind } from "./index";

const KEY = "fwf-flags-db";
const stored = ({ disk }: World) => [...disk.keys()].filter((key) => key.includes(KEY));
const WEEK_MS = 7 * 24 * 3_600_000;

function world() {
  const made = createWorld();
  made.service.flags.set("on", always(true)).set("own", own);
  return made;
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
          const made = world();
          made.service.flags.set("flag", () => ({ variation, explanation: { kind, from: "x" } }));
          const { client } = made.tab({ cache, subscribe: subscribed ? ["flag"] : [] });
          void client.setUser({ userId: "r1" });
          await value(made, client.getFlag("flag", "mine"));
          expect(stored(made).length).toBe(allowed ? 1 : 0);
        });
      }
    }
  }
}

it("what was stored goes when the flag is no more", async () => {
  const made = world();
  const { client } = made.tab({ subscribe: ["own"], ttlMs: 1_000 });
  void client.setUser({ userId: "r1" });
  await value(made, client.getFlag("own", ""));
  expect(stored(made).length).toBe(1);
  made.service.flags.delete("own");
  made.service.version += 1;
  await made.clock.advance(2_000);
  expect((await value(made, client.getFlag("own", "mine"))).variation).toBe("mine");
  expect(stored(made)).toEqual([]);
});

it("what is stored names nobody in clear", async () => {
  const made = world();
  const { client } = made.tab({ subscribe: ["on", "own"] });
  void client.setUser({ userId: "rider-5417", email: "ana@riders.example" });
  await value(made, client.getFlag("on", false));
  const keys = [...made.disk.keys()].join();
  const owners = JSON.stringify(
    [...made.disk.values()].map((it) => ({ ...(it as object), result: 0, tag: 0 })),
  );
  expect(keys + owners).not.toMatch(/rider-5417|ana@/);
});

it("the tables hold the results, and whose and which configuration they are", async () => {
  const made = world();
  made.service.version = 412;
  const { client } = made.tab({ subscribe: ["on"] });
  void client.setUser({ userId: "r1" });
  await value(made, client.getFlag("on", false));
  const source = [...made.disk].find(([key]) => key.includes("version_flags"))?.[1];
  expect(source).toMatchObject({ version: 412, tag: expect.stringMatching(/./) });
});

it("after a reload the stored value is there at once, and is asked for again only when stale", async () => {
  const made = world();
  const first = made.tab({ subscribe: ["own"] });
  void first.client.setUser({ userId: "r1" });
  await value(made, first.client.getFlag("own", ""));
  first.kill();
  const calls = made.service.calls.length;
  const { client } = made.tab({ subscribe: ["own"] });
  await value(made, client.setUser({ userId: "r1" }), 0);
  expect(client.peek("own")).toMatchObject({ status: "cached", result: { variation: "of r1" } });
  expect((await value(made, client.getFlag("own", ""))).variation).toBe("of r1");
  expect(made.service.calls.length).toBe(calls);
  await made.clock.advance(16 * 60_000);
  expect(made.service.calls.length).toBe(calls + 1);
  expect(client.peek("own")?.status).toBe("fresh");
});

it("a week without the service: the last values, marked as such, and within 3 s", async () => {
  const made = world();
  const first = made.tab({ subscribe: ["own"] });
  void first.client.setUser({ userId: "r1" });
  await value(made, first.client.getFlag("own", ""));
  first.kill();
  made.service.down = "hang";
  await made.clock.advance(WEEK_MS);
  const { client } = made.tab({ subscribe: ["own"] });
  void client.setUser({ userId: "r1" });
  const startMs = made.clock.now();
  const result = await value(made, client.getFlag("own", "mine"), 3_000);
  expect(made.clock.now() - startMs).toBe(3_000);
  expect(result.variation).toBe("of r1");
  expect(made.clock.now() - Date.parse(result.dateCached ?? "")).toBeGreaterThanOrEqual(WEEK_MS);
  expect(client.peek("own")?.status).toBe("cached");
});

it("the clock set back an hour: shown, not taken for fresh, and asked for once", async () => {
  const made = world();
  const first = made.tab({ subscribe: ["own"] });
  void first.client.setUser({ userId: "r1" });
  await value(made, first.client.getFlag("own", ""));
  const before = made.service.evaluations().length;
  made.skewMs = -3_600_000;
  // In the page that is open nothing has aged.
  await made.clock.advance(60_000);
  expect(made.service.evaluations().length).toBe(before);
  first.kill();
  const { client } = made.tab({ subscribe: ["own"] });
  void client.setUser({ userId: "r1" });
  expect((await value(made, client.getFlag("own", ""))).variation).toBe("of r1");
  await made.clock.advance(10 * 60_000);
  expect(made.service.evaluations().length).toBe(before + 1);
  expect(client.peek("own")?.status).toBe("fresh");
});

it.each(["blocked", "full", "never"] as const)("a disk that is %s costs no flags", async (disk) => {
  const made = world();
  made.broken.disk = disk;
  const tab = made.tab({ subscribe: ["own"] });
  void tab.client.setUser({ userId: "r1" });
  expect((await value(made, tab.client.getFlag("own", ""))).variation).toBe("of r1");
  const calls = made.service.calls.length;
  expect((await value(made, tab.client.getFlag("own", ""))).variation).toBe("of r1");
  expect(made.service.calls.length).toBe(calls);
  const warned = disk === "blocked" ? ["Browser doesn't support Localstorage"] : [];
  expect(tab.warnings).toEqual(warned);
});

it("no local storage, no channel: works from memory, and says so once", async () => {
  const made = world();
  made.broken = { disk: "blocked", storage: "blocked", channel: "absent", lock: "absent" };
  const tab = made.tab({ subscribe: ["own"] });
  for (const userId of ["r1", "r2"]) {
    void tab.client.setUser({ userId });
    expect((await value(made, tab.client.getFlag("own", ""))).variation).toBe(`of ${userId}`);
  }
  expect(tab.warnings).toEqual(["Browser doesn't support Localstorage"]);
});

it("a slow disk holds up no request, and is waited for when nobody answers", async () => {
  const made = world();
  const first = made.tab({ subscribe: ["own"] });
  void first.client.setUser({ userId: "r1" });
  await value(made, first.client.getFlag("own", ""));
  first.kill();
  made.diskMs = 2_000;
  made.service.down = "network";
  const second = made.tab({ subscribe: ["own"] });
  void second.client.setUser({ userId: "r1" });
  const late = await outcome(made, second.client.getFlag("own", "mine"));
  expect(late).toMatchObject({ value: { variation: "of r1" }, atMs: 2_000 });
  made.service.down = undefined;
  const third = made.tab({ subscribe: ["own"] });
  void third.client.setUser({ userId: "r1" });
  const asked = await outcome(made, third.client.getFlag("own", "mine"));
  expect(asked.value?.variation).toBe("of r1");
  expect(asked.atMs).toBeLessThan(2_100);
});

it("memory only: nothing on the disk", async () => {
  const made = world();
  const { client } = made.tab({ subscribe: ["own"], cache: "memory" });
  void client.setUser({ userId: "r1" });
  await value(made, client.getFlag("own", ""));
  const calls = made.service.calls.length;
  await value(made, client.getFlag("own", ""));
  expect(made.service.calls.length).toBe(calls);
  expect(made.disk.size).toBe(0);
});

it("no cache: asked for anew each time, yet seen by those who subscribe", async () => {
  const made = world();
  const { client } = made.tab({ subscribe: ["own"], cache: null });
  void client.setUser({ userId: "r1" });
  await value(made, client.getFlag("own", ""));
  const calls = made.service.calls.length;
  const result = await value(made, client.getFlag("own", ""));
  expect(result.dateCached).toBeUndefined();
  expect(made.service.calls.length).toBe(calls + 1);
  expect(client.peek("own")).toMatchObject({ status: "fresh", result: { variation: "of r1" } });
});

it("a cache of the host's own, also one that answers at once", async () => {
  const made = world();
  const map = new Map<string, unknown>();
  const cache: FlagCache = {
    get: (key) => map.get(key),
    set: (key, it) => map.set(key, it),
    delete: (key) => map.delete(key),
    clear: () => map.clear(),
  };
  const first = made.tab({ subscribe: ["own"], cache });
  void first.client.setUser({ userId: "r1" });
  await value(made, first.client.getFlag("own", ""));
  expect([...map.keys()].sort()).toEqual(["fwf-flags-db:own", "version_flags:current"]);
  first.kill();
  made.service.down = "network";
  const { client } = made.tab({ subscribe: ["own"], cache });
  void client.setUser({ userId: "r1" });
  expect((await value(made, client.getFlag("own", ""))).variation).toBe("of r1");
  await value(made, client.clearUser());
  expect(map.size).toBe(0);
});

it("two clients of one origin do not meet", async () => {
  const made = world();
  const first = made.tab({ subscribe: ["on"], token: "production" });
  void first.client.setUser({ userId: "r1" });
  await value(made, first.client.getFlag("on", false));
  made.service.down = "network";
  const { client } = made.tab({ subscribe: ["on"], token: "staging" });
  void client.setUser({ userId: "r1" });
  expect((await value(made, client.getFlag("on", false))).explanation.kind).toBe("FALLBACK");
});
