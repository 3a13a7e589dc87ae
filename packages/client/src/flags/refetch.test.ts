import { expect, it, vi } from "vitest";
import { always, own } from "./fixture/service";
import { createWorld, type Tab, value, type World } from "./fixture/world";
import type { FlagClientOptions } from "./index";

const MINUTE_MS = 60_000;

function world() {
  const made = createWorld();
  made.service.flags.set("on", always(true)).set("own", own);
  return made;
}

async function signedIn(made: World, options: Partial<FlagClientOptions> = {}): Promise<Tab> {
  const tab = made.tab({ subscribe: ["on", "own"], ...options });
  await value(made, tab.client.setUser({ userId: "r1" }), 100);
  return tab;
}

it("asks for all that is subscribed in one request, as soon as there is a user", async () => {
  const made = world();
  await signedIn(made);
  expect(made.service.calls.map(({ path, body }) => [path, body])).toEqual([
    ["v3/features", { userId: "r1", featureList: ["on", "own"] }],
  ]);
});

it("asks again once older than 15 minutes, with the ETag, and looks every 60 s", async () => {
  const made = world();
  const { client } = await signedIn(made);
  await made.clock.advance(15 * MINUTE_MS - 100);
  expect(made.service.evaluations().length).toBe(1);
  expect(client.peek("on")?.status).toBe("fresh");
  await made.clock.advance(MINUTE_MS);
  expect(made.service.evaluations().length).toBe(2);
  expect(made.service.evaluations()[1]?.headers["If-None-Match"]).toMatch(/./);
  const { dateCached } = await value(made, client.getFlag("on", false), 100);
  expect(made.clock.now() - Date.parse(dateCached ?? "")).toBeLessThan(MINUTE_MS);
});

it("its time to live can be another", async () => {
  const made = world();
  await signedIn(made, { ttlMs: 5 * MINUTE_MS });
  await made.clock.advance(60 * MINUTE_MS);
  // Every sixth minute: the first look at which they are older than five.
  expect(made.service.evaluations().length).toBe(11);
});

it("not modified: the same values, fresh again, in the next page too", async () => {
  const made = world();
  const tab = await signedIn(made);
  await made.clock.advance(16 * MINUTE_MS);
  expect(tab.client.peek("own")).toMatchObject({ status: "fresh", result: { variation: "of r1" } });
  tab.kill();
  await made.clock.advance(10 * MINUTE_MS);
  const calls = made.service.calls.length;
  const next = await signedIn(made);
  expect(next.client.peek("own")?.result.variation).toBe("of r1");
  expect(made.service.calls.length).toBe(calls);
});

it("no ETag where a part of the answer is missing", async () => {
  const made = world();
  const { client } = await signedIn(made, { subscribe: ["on"] });
  const stop = client.subscribe(["own"], () => {});
  await made.clock.advance(100);
  expect(made.service.evaluations()[1]?.headers).not.toHaveProperty("If-None-Match");
  expect(client.peek("own")?.result.variation).toBe("of r1");
  stop();
});

it("a change is seen at the next check after the values are stale", async () => {
  const made = world();
  const { client } = await signedIn(made);
  made.service.publish("on", always(false));
  await made.clock.advance(16 * MINUTE_MS);
  expect(client.peek("on")?.result.variation).toBe(false);
});

it("stale and no answer: still shown, marked, and tried again every 60 s", async () => {
  const made = world();
  const { client } = await signedIn(made);
  made.service.down = 503;
  await made.clock.advance(16 * MINUTE_MS);
  expect(client.peek("on")).toMatchObject({ status: "cached", result: { variation: true } });
  const calls = made.service.calls.length;
  await made.clock.advance(3 * MINUTE_MS);
  expect(made.service.calls.length).toBe(calls + 3);
  made.service.down = undefined;
  await made.clock.advance(MINUTE_MS);
  expect(client.peek("on")?.status).toBe("fresh");
});

it("a service that never answers costs 10 s in the background, and the next check tries again", async () => {
  const made = world();
  const { client } = await signedIn(made);
  made.service.down = "deaf";
  await made.clock.advance(16 * MINUTE_MS + 30_000);
  const calls = made.service.calls.length;
  made.service.down = undefined;
  await made.clock.advance(MINUTE_MS);
  expect(made.service.calls.length).toBe(calls + 1);
  expect(client.peek("on")?.status).toBe("fresh");
});

it("only while somebody looks; and at once when somebody looks again", async () => {
  const made = world();
  const tab = await signedIn(made);
  tab.visible = false;
  tab.page("hide");
  await made.clock.advance(120 * MINUTE_MS);
  expect(made.service.evaluations().length).toBe(1);
  tab.visible = true;
  tab.page("wake");
  await made.clock.advance(100);
  expect(made.service.evaluations().length).toBe(2);
  expect(tab.client.peek("on")?.status).toBe("fresh");
});

it("focus and coming online look too, and ask only for what is stale", async () => {
  const made = world();
  const tab = await signedIn(made);
  for (let count = 0; count < 20; count += 1) tab.page("wake");
  await made.clock.advance(100);
  expect(made.service.evaluations().length).toBe(1);
  made.service.down = "network";
  await made.clock.advance(16 * MINUTE_MS);
  made.service.down = undefined;
  tab.page("wake");
  await made.clock.advance(100);
  expect(tab.client.peek("on")?.status).toBe("fresh");
});

it.each([5, 2])("%i tabs at once make one request, and all have the answer", async (count) => {
  const made = world();
  const tabs = Array.from({ length: count }, () => made.tab({ subscribe: ["on", "own"] }));
  const asked = tabs.map(({ client }) => {
    void client.setUser({ userId: "r1" });
    return client.getFlag("own", "mine");
  });
  const results = await value(made, Promise.all(asked));
  expect(results.map(({ variation }) => variation)).toEqual(tabs.map(() => "of r1"));
  expect(made.service.evaluations().length).toBe(1);
  await made.clock.advance(16 * MINUTE_MS);
  expect(made.service.evaluations().length).toBe(2);
  for (const { client } of tabs) expect(client.peek("own")?.status).toBe("fresh");
});

it("a tab that nobody looks at learns what another fetched", async () => {
  const made = world();
  const [seen, hidden] = [await signedIn(made), await signedIn(made)];
  hidden.visible = false;
  hidden.page("hide");
  made.service.publish("on", always(false));
  await made.clock.advance(16 * MINUTE_MS);
  expect(seen.client.peek("on")?.result.variation).toBe(false);
  expect(hidden.client.peek("on")?.result.variation).toBe(false);
});

it("two people in two tabs stay apart", async () => {
  const made = world();
  const first = await signedIn(made);
  const second = made.tab({ subscribe: ["own"] });
  await value(made, second.client.setUser({ userId: "r2" }), 100);
  await made.clock.advance(60 * MINUTE_MS);
  expect(first.client.peek("own")?.result.variation).toBe("of r1");
  expect(second.client.peek("own")?.result.variation).toBe("of r2");
});

it.each(["never", "refused", "absent"] as const)(
  "a lock that is %s holds nobody up for more than 10 s",
  async (lock) => {
    const made = world();
    made.broken.lock = lock;
    const tab = made.tab({ subscribe: ["own"] });
    void tab.client.setUser({ userId: "r1" });
    await made.clock.advance(10_100);
    expect(tab.client.peek("own")?.result.variation).toBe("of r1");
  },
);

it("a tab that dies while it fetches does not keep the others waiting", async () => {
  const made = world();
  made.service.faults.push("deaf");
  const first = made.tab({ subscribe: ["own"] });
  void first.client.setUser({ userId: "r1" });
  await made.clock.advance(100);
  const second = made.tab({ subscribe: ["own"] });
  void second.client.setUser({ userId: "r1" });
  await made.clock.advance(100);
  first.kill();
  await made.clock.advance(100);
  expect(second.client.peek("own")?.result.variation).toBe("of r1");
});

it("those who subscribe hear of their flags, once they changed, and of no others", async () => {
  const made = world();
  const { client } = await signedIn(made, { subscribe: [] });
  const heard: string[] = [];
  const stop = client.subscribe(["own"], () => heard.push("own"));
  const errors: unknown[] = [];
  vi.stubGlobal("queueMicrotask", (run: () => void) =>
    Promise.resolve()
      .then(run)
      .catch((error) => errors.push(error)),
  );
  client.subscribe(["on"], () => {
    throw new Error("a mistake of the host");
  });
  client.subscribe([], () => heard.push("any"));
  await made.clock.advance(100);
  expect(heard).toContain("own");
  expect(heard).toContain("any");
  expect(errors.length).toBeGreaterThan(0);
  heard.length = 0;
  stop();
  made.service.publish("own", always("new"));
  await made.clock.advance(20 * MINUTE_MS);
  expect(heard).not.toContain("own");
});

it("ten that subscribe at once cause one request", async () => {
  const made = world();
  const { client } = await signedIn(made, { subscribe: [] });
  for (let count = 0; count < 10; count += 1)
    client.subscribe([count % 2 ? "on" : "own"], () => {});
  await made.clock.advance(100);
  expect(made.service.evaluations().length).toBe(1);
});

it("what is peeked at is the same object until it changes", async () => {
  const made = world();
  const { client } = await signedIn(made);
  const before = client.peek("own");
  const shown = client.snapshot();
  await made.clock.advance(5 * MINUTE_MS);
  expect(client.peek("own")).toBe(before);
  expect(client.snapshot()).toBe(shown);
});

it("a bootstrap is there before anything is asked, and is confirmed when it is stale", async () => {
  const made = world();
  const flags = {
    own: {
      variation: "of r1",
      abTest: false,
      explanation: { kind: "RULE", from: "rule:own" },
      relevantContext: ["userId"],
      holdoutsEvaluations: [],
    },
  } as const;
  const { client } = made.tab({ bootstrap: { user: { userId: "r1" }, flags } });
  expect(client.peek("own")).toMatchObject({ status: "fresh", result: { variation: "of r1" } });
  expect((await value(made, client.getFlag("own", ""), 0)).variation).toBe("of r1");
  expect(made.service.calls).toEqual([]);
  await made.clock.advance(16 * MINUTE_MS);
  expect(made.service.evaluations().length).toBe(1);
  void client.setUser({ userId: "r2" });
  expect(client.peek("own")).toBeUndefined();
});

it("an override of this device wins, is kept, and reports nothing", async () => {
  const made = world();
  const tab = await signedIn(made);
  tab.client.overrides.set("on", false);
  expect(await value(made, tab.client.getFlag("on", true))).toMatchObject({
    variation: false,
    explanation: { kind: "OVERRIDE", from: "client:override" },
  });
  expect((await value(made, tab.client.getFlags(["on", "own"]))).on.variation).toBe(false);
  expect((await value(made, tab.client.getAllFlags())).on?.variation).toBe(false);
  expect(tab.client.peek("on")?.result.variation).toBe(false);
  expect(tab.client.peek("on")).toBe(tab.client.peek("on"));
  tab.kill();
  const { client } = await signedIn(made);
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
