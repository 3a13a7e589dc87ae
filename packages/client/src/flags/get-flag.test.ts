import { expect, it } from "vitest";
import { always, experiment, perUser } from "./fixture/service";
import { createWorld, outcome, value } from "./fixture/world";

function signedIn(options: Parameters<ReturnType<typeof createWorld>["tab"]>[0] = {}) {
  const world = createWorld();
  world.service.flags.set("quest-cards", always(true)).set("own", perUser);
  const tab = world.tab({ subscribe: ["quest-cards", "own"], ...options });
  return { world, tab, client: tab.client };
}

it("requests one flag with the attributes, and sends the key and the SDK in the headers", async () => {
  const { world, client } = signedIn({ subscribe: [], debug: true });
  void client.setUser({ userId: "r1", country: "UY" });
  const result = await value(world, client.getFlag("quest-cards", false));
  expect(result.variation).toBe(true);
  const call = world.service.calls[0];
  expect(call).toMatchObject({
    method: "PUT",
    path: "v3/features/quest-cards",
    body: { userId: "r1", country: "UY" },
    headers: {
      Authorization: "Bearer mk_client_demo",
      "Content-Type": "application/json",
      "X-Musette-Debug": "1",
    },
  });
  expect(call?.headers["X-Musette-Sdk"]).toMatch(/^[\w-]+\/\d+\.\d+\.\d+$/);
});

it("stores a subscribed flag with a timestamp and returns it from memory", async () => {
  const { world, client } = signedIn();
  await value(world, client.setUser({ userId: "r1" }));
  const calls = world.service.calls.length;
  const result = await value(world, client.getFlag("own", ""));
  expect(result.variation).toBe("of r1");
  expect(Date.parse(result.dateCached ?? "")).toBeLessThanOrEqual(world.clock.now());
  expect(world.service.calls.length).toBe(calls);
  expect([...world.disk.keys()].some((key) => key.includes("fwf-flags-db:own"))).toBe(true);
});

it("fetches a flag without a subscription on every call and does not store it", async () => {
  const { world, client } = signedIn({ subscribe: [] });
  void client.setUser({ userId: "r1" });
  for (let round = 1; round <= 2; round += 1) {
    const result = await value(world, client.getFlag("own", ""));
    expect(result).toMatchObject({ variation: "of r1" });
    expect(result.dateCached).toBeUndefined();
    expect(world.service.evaluations().length).toBe(round);
  }
  expect(client.peek("own")).toBeUndefined();
  expect([...world.disk.keys()].filter((key) => key.includes("fwf-flags-db"))).toEqual([]);
});

it.each([
  ["network", "client:network"],
  ["garbage", "client:network"],
  ["hang", "client:timeout"],
  ["ignores-abort", "client:timeout"],
  [503, "client:http_503"],
  [401, "client:http_401"],
  [404, "client:http_404"],
] as const)("%s: returns the fallback with the reason", async (failure, from) => {
  const { world, client } = signedIn({ subscribe: [] });
  world.service.down = failure;
  void client.setUser({ userId: "r1" });
  const { value: result, atMs } = await outcome(world, client.getFlag("own", "mine"));
  expect(result).toMatchObject({ variation: "mine", explanation: { kind: "FALLBACK", from } });
  expect(atMs).toBeLessThanOrEqual(3_000);
});

it("sends one request for 1,000 calls at once", async () => {
  const { world, client } = signedIn({ subscribe: [] });
  void client.setUser({ userId: "r1" });
  const all = Array.from({ length: 1_000 }, () => client.getFlag("own", ""));
  const results = await value(world, Promise.all(all));
  expect(new Set(results.map(({ variation }) => variation))).toEqual(new Set(["of r1"]));
  expect(world.service.evaluations().length).toBe(1);
});

it("reports a participation once, also across a reload", async () => {
  const { world, client, tab } = signedIn();
  world.service.flags.set("check-in", experiment("checkin-v2"));
  void client.setUser({ userId: "r1" });
  await value(world, client.getFlag("check-in", ""));
  await value(world, client.getFlag("check-in", ""), 6_000);
  expect(tab.reported).toMatchObject([
    {
      name: "ab_test.participated",
      experiment: "checkin-v2",
      phase: 1,
      variation: "map",
      unit: "r1",
    },
  ]);
  expect(world.service.events).toEqual(tab.reported);
  tab.kill();
  const reloaded = world.tab();
  void reloaded.client.setUser({ userId: "r1" });
  await value(world, reloaded.client.getFlag("check-in", ""), 6_000);
  expect(reloaded.reported).toEqual([]);
});
