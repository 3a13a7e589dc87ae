import { expect, it, vi } from "vitest";
import { always, experiment, type Rule } from "./fixture/service";
import { createWorld, type Tab, value, type World } from "./fixture/world";
import type { FlagClientOptions, FlagUser, HoldoutEvaluation } from "./index";

const HELD_OUT: HoldoutEvaluation = { key: "2026-q4", group: "HELD_OUT", applied: true };

const inHoldout =
  (holdoutsEvaluations: readonly HoldoutEvaluation[]): Rule =>
  () => ({
    variation: "list",
    explanation: { kind: "HOLDOUT", from: "holdout:2026-q4" },
    relevantContext: ["userId"],
    holdoutsEvaluations,
  });

function setUpWorld() {
  const world = createWorld();
  world.service.flags
    .set("on", always(true))
    .set("test", experiment("checkin-v2"))
    .set("held", inHoldout([HELD_OUT]));
  return world;
}

async function visit(
  world: World,
  user: FlagUser = { userId: "r1" },
  options: Partial<FlagClientOptions> = {},
): Promise<Tab> {
  const tab = world.tab({ subscribe: ["test", "held", "on"], ...options });
  await value(world, tab.client.setUser(user), 100);
  return tab;
}

const names = ({ reported }: Tab) => reported.map((event) => `${event.name} ${event.unit}`);

it("passes a participation to the host exactly as the service receives it", async () => {
  const world = setUpWorld();
  const tab = await visit(world);
  await value(world, tab.client.getFlag("test", ""), 6_000);
  expect(tab.reported).toEqual([
    {
      name: "ab_test.participated",
      id: expect.stringMatching(/^.{8,}$/),
      unit: "r1",
      at: expect.stringMatching(/^2026-11-21T\d\d:\d\d:\d\d\.\d{3}Z$/),
      experiment: "checkin-v2",
      phase: 1,
      variation: "map",
    },
  ]);
  expect(world.service.events).toEqual(tab.reported);
});

it("reports a holdout group with getFlags, but not the general group", async () => {
  const world = setUpWorld();
  world.service.flags.set(
    "held",
    inHoldout([
      HELD_OUT,
      { key: "menus", group: "COMPARISON", applied: false },
      { key: "rest", group: "GENERAL", applied: false },
    ]),
  );
  const tab = await visit(world);
  await value(world, tab.client.getFlags(["held", "on"]), 6_000);
  expect(tab.reported).toMatchObject([
    { name: "holdout_group.participated", holdout: "2026-q4", group: "HELD_OUT", unit: "r1" },
    { name: "holdout_group.participated", holdout: "menus", group: "COMPARISON", unit: "r1" },
  ]);
  expect([...world.storage.keys()].filter((key) => /^holdout_/.test(key))).toEqual([
    "holdout_2026-q4",
    "holdout_menus",
  ]);
});

it("peek, subscribe and getAllFlags report nothing; reportExposure reports once", async () => {
  const world = setUpWorld();
  const tab = await visit(world);
  tab.client.peek("test");
  tab.client.subscribe(["test"], () => {});
  await value(world, tab.client.ready(["test"]));
  await value(world, tab.client.getAllFlags());
  expect(tab.reported).toEqual([]);
  tab.client.reportExposure("test");
  tab.client.reportExposure("test");
  await value(world, tab.client.getFlag("test", ""));
  expect(names(tab)).toEqual(["ab_test.participated r1"]);
});

it("stores a hash of the unit, the variation and the phase, but no readable id", async () => {
  const world = setUpWorld();
  const tab = await visit(world, { userId: "rider-5417" });
  await value(world, tab.client.getFlags(["test", "held"]), 6_000);
  const mark = world.storage.get("ab_test_checkin-v2") ?? "";
  expect(JSON.parse(mark)).toEqual([{ u: expect.stringMatching(/.{8}/), v: "map", p: 1 }]);
  expect(mark + world.storage.get("holdout_2026-q4")).not.toContain("rider-5417");
  expect(JSON.parse(world.storage.get("holdout_2026-q4") ?? "")).toMatchObject([{ v: "HELD_OUT" }]);
});

it("writes the participation to local storage before it returns a stored flag", async () => {
  const world = setUpWorld();
  (await visit(world)).kill();
  const tab = world.tab({ subscribe: ["test"] });
  const valueAndMark = tab.client
    .setUser({ userId: "r1" })
    .then(() => tab.client.getFlag("test", ""))
    .then((result) => [result.variation, world.storage.has("ab_test_checkin-v2")]);
  expect(await value(world, valueAndMark, 0)).toEqual(["map", true]);
  expect(names(tab)).toEqual(["ab_test.participated r1"]);
});

it("counts each of two users of one phone once, across reloads", async () => {
  const world = setUpWorld();
  const reportedNames: string[] = [];
  for (const userId of ["r1", "r1", "r2", "r1", "r2"]) {
    const tab = await visit(world, { userId });
    await value(world, tab.client.getFlag("test", ""), 6_000);
    reportedNames.push(...names(tab));
    tab.kill();
  }
  expect(reportedNames).toEqual(["ab_test.participated r1", "ab_test.participated r2"]);
  expect(world.service.events.map(({ unit }) => unit)).toEqual(["r1", "r2"]);
});

it("counts a new phase and another variation again", async () => {
  const world = setUpWorld();
  const phases: string[] = [];
  for (const [phase, variation] of [
    [1, "map"],
    [2, "map"],
    [2, "list"],
    [2, "list"],
  ] as const) {
    world.service.flags.set("test", experiment("checkin-v2", phase, variation));
    world.service.version += 1;
    await world.clock.advance(16 * 60_000);
    const tab = await visit(world);
    await value(world, tab.client.getFlag("test", ""), 6_000);
    phases.push(
      ...tab.reported.map((event) => ("phase" in event ? `${event.phase} ${event.variation}` : "")),
    );
    tab.kill();
  }
  expect(phases).toEqual(["1 map", "2 map", "2 list"]);
});

it("gives a participation the same id on every device, and different participations different ids", async () => {
  const ids = async (userId: string) => {
    const world = setUpWorld();
    const tab = await visit(world, { userId });
    await value(world, tab.client.getFlags(["test", "held"]));
    return tab.reported.map(({ id }) => id);
  };
  const [first, otherDevice, other] = [await ids("r1"), await ids("r1"), await ids("r2")];
  expect(first).toEqual(otherDevice);
  expect(new Set([...first, ...other]).size).toBe(4);
});

it.each([
  [{ key: "k1", userId: "r1" }, undefined, ["key", "userId"], "k1"],
  [{ key: "k1", userId: "r1" }, undefined, ["country", "userId"], "r1"],
  [{ key: "k1", userId: "r1" }, "userId", ["key", "userId"], "r1"],
  [{ userId: "r1", deviceId: 7 }, "deviceId", ["deviceId"], "7"],
  [{ userId: "", anonymousId: "a1" }, undefined, ["anonymousId", "userId"], "a1"],
] as const)(
  "counts user %j with unit %s and relevant attributes %j under %s",
  async (user, unit, relevantContext, counted) => {
    const world = setUpWorld();
    world.service.flags.set("test", () => {
      const { experiment: drawn, ...result } = experiment("t")({}, 1);
      return {
        ...result,
        relevantContext,
        experiment: { ...drawn, ...(unit && { unit }) } as never,
      };
    });
    const tab = await visit(world, user);
    await value(world, tab.client.getFlag("test", ""));
    expect(tab.reported.map((event) => event.unit)).toEqual([counted]);
  },
);

it("counts nothing for a user without a randomization unit", async () => {
  const world = setUpWorld();
  const tab = await visit(world, { country: "UY" });
  await value(world, tab.client.getFlag("test", ""));
  expect(tab.reported).toEqual([]);
});

it.each(["blocked", "full"] as const)(
  "local storage %s: reports once per page, and the service receives it",
  async (storage) => {
    const world = setUpWorld();
    world.broken.storage = storage;
    const tab = await visit(world);
    for (let count = 0; count < 3; count += 1)
      await value(world, tab.client.getFlag("test", ""), 6_000);
    expect(names(tab)).toEqual(["ab_test.participated r1"]);
    expect(world.service.events.length).toBe(1);
  },
);

it("overwrites invalid values of other programs under its keys", async () => {
  const world = setUpWorld();
  world.storage.set("ab_test_checkin-v2", "{").set("musette_flag_events", "true");
  world.storage.set("musette_flag_overrides", "[1,");
  const tab = await visit(world);
  await value(world, tab.client.getFlag("test", ""), 6_000);
  expect(world.service.events.length).toBe(1);
  expect(tab.warnings).toEqual([]);
});

it("sends events in batches of at most 50, or after 5 s", async () => {
  const world = setUpWorld();
  const keys = Array.from({ length: 120 }, (_, at) => `t${at}`);
  for (const key of keys) world.service.flags.set(key, experiment(key));
  const tab = await visit(world, { userId: "r1" }, { subscribe: keys });
  await value(world, tab.client.getFlags(keys), 100);
  const eventCalls = () => world.service.calls.filter(({ path }) => path === "v3/events");
  expect(eventCalls().length).toBeGreaterThanOrEqual(2);
  await world.clock.advance(5_100);
  expect(world.service.events.length).toBe(120);
  for (const { body } of eventCalls())
    expect((body as unknown as unknown[]).length).toBeLessThanOrEqual(50);
  expect(new Set(world.service.events.map(({ id }) => id)).size).toBe(120);
});

it.each(["hide", "close"] as const)("on %s sends events at once with keepalive", async (end) => {
  const world = setUpWorld();
  const tab = await visit(world);
  await value(world, tab.client.getFlag("test", ""), 100);
  expect(world.service.events).toEqual([]);
  if (end === "hide") tab.page("hide");
  else tab.client.close();
  await world.clock.advance(10);
  expect(world.service.calls.at(-1)).toMatchObject({
    method: "POST",
    path: "v3/events",
    keepalive: true,
  });
  expect(world.service.events.length).toBe(1);
});

it.each(["network", 503, 429, "ignores-abort"] as const)(
  "%s: retries until the service has received the event once",
  async (failure) => {
    const world = setUpWorld();
    const tab = await visit(world);
    world.service.failures.push(failure, failure);
    await value(world, tab.client.getFlag("test", ""), 120_000);
    expect(world.service.events.length).toBe(1);
    expect(world.service.calls.filter(({ path }) => path === "v3/events").length).toBe(3);
  },
);

it("does not retry an event that the service rejected with a client error", async () => {
  const world = setUpWorld();
  const tab = await visit(world);
  world.service.failures.push(401);
  await value(world, tab.client.getFlag("test", ""), 600_000);
  expect(world.service.calls.filter(({ path }) => path === "v3/events").length).toBe(1);
});

it("sends pending events after a reload without another call of onEvent", async () => {
  const world = setUpWorld();
  const first = await visit(world);
  world.service.down = "network";
  await value(world, first.client.getFlag("test", ""), 10_000);
  first.kill();
  world.service.down = undefined;
  const next = await visit(world);
  await world.clock.advance(6_000);
  expect(world.service.events.map(({ unit }) => unit)).toEqual(["r1"]);
  expect(next.reported).toEqual([]);
});

it("returns flags although onEvent of the host throws", async () => {
  const errors: unknown[] = [];
  vi.stubGlobal("queueMicrotask", (run: () => void) =>
    Promise.resolve()
      .then(run)
      .catch((error) => errors.push(error)),
  );
  const world = setUpWorld();
  const onEvent = () => {
    throw new Error("an error of the host");
  };
  const tab = await visit(world, { userId: "r1" }, { onEvent });
  expect((await value(world, tab.client.getFlag("test", ""), 6_000)).variation).toBe("map");
  expect(errors.length).toBe(1);
  expect(world.service.events.length).toBe(1);
});
