import { expect, it, vi } from "vitest";
import { always, experiment, type Rule } from "./fixture/service";
import { createWorld, type Tab, value, type World } from "./fixture/world";
import type { FlagClientOptions, FlagUser, HoldoutEvaluation } from "./index";

const HELD_OUT: HoldoutEvaluation = { key: "2026-q4", group: "HELD_OUT", applied: true };

const held =
  (holdoutsEvaluations: readonly HoldoutEvaluation[]): Rule =>
  () => ({
    variation: "list",
    explanation: { kind: "HOLDOUT", from: "holdout:2026-q4" },
    relevantContext: ["userId"],
    holdoutsEvaluations,
  });

function world() {
  const made = createWorld();
  made.service.flags
    .set("on", always(true))
    .set("test", experiment("checkin-v2"))
    .set("held", held([HELD_OUT]));
  return made;
}

async function visit(
  made: World,
  user: FlagUser = { userId: "r1" },
  options: Partial<FlagClientOptions> = {},
): Promise<Tab> {
  const tab = made.tab({ subscribe: ["test", "held", "on"], ...options });
  await value(made, tab.client.setUser(user), 100);
  return tab;
}

const names = ({ reported }: Tab) => reported.map((event) => `${event.name} ${event.unit}`);

it("a participation is told to the host as the service gets it, whole", async () => {
  const made = world();
  const tab = await visit(made);
  await value(made, tab.client.getFlag("test", ""), 6_000);
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
  expect(made.service.events).toEqual(tab.reported);
});

it("a holdout group, by getFlags too; the general public takes part in nothing", async () => {
  const made = world();
  made.service.flags.set(
    "held",
    held([
      HELD_OUT,
      { key: "menus", group: "COMPARISON", applied: false },
      { key: "rest", group: "GENERAL", applied: false },
    ]),
  );
  const tab = await visit(made);
  await value(made, tab.client.getFlags(["held", "on"]), 6_000);
  expect(tab.reported).toMatchObject([
    { name: "holdout_group.participated", holdout: "2026-q4", group: "HELD_OUT", unit: "r1" },
    { name: "holdout_group.participated", holdout: "menus", group: "COMPARISON", unit: "r1" },
  ]);
  expect([...made.storage.keys()].filter((key) => /^holdout_/.test(key))).toEqual([
    "holdout_2026-q4",
    "holdout_menus",
  ]);
});

it("neither peeking, nor subscribing, nor listing all reports; telling to does, once", async () => {
  const made = world();
  const tab = await visit(made);
  tab.client.peek("test");
  tab.client.subscribe(["test"], () => {});
  await value(made, tab.client.ready(["test"]));
  await value(made, tab.client.getAllFlags());
  expect(tab.reported).toEqual([]);
  tab.client.reportExposure("test");
  tab.client.reportExposure("test");
  await value(made, tab.client.getFlag("test", ""));
  expect(names(tab)).toEqual(["ab_test.participated r1"]);
});

it("what is kept says a hash of the unit, the variation and the phase, and no id in clear", async () => {
  const made = world();
  const tab = await visit(made, { userId: "rider-5417" });
  await value(made, tab.client.getFlags(["test", "held"]), 6_000);
  const mark = made.storage.get("ab_test_checkin-v2") ?? "";
  expect(JSON.parse(mark)).toEqual([{ u: expect.stringMatching(/.{8}/), v: "map", p: 1 }]);
  expect(mark + made.storage.get("holdout_2026-q4")).not.toContain("rider-5417");
  expect(JSON.parse(made.storage.get("holdout_2026-q4") ?? "")).toMatchObject([{ v: "HELD_OUT" }]);
});

it("stands in local storage when the value is given, also of a flag that was stored", async () => {
  const made = world();
  (await visit(made)).kill();
  const tab = made.tab({ subscribe: ["test"] });
  const given = tab.client
    .setUser({ userId: "r1" })
    .then(() => tab.client.getFlag("test", ""))
    .then((result) => [result.variation, made.storage.has("ab_test_checkin-v2")]);
  expect(await value(made, given, 0)).toEqual(["map", true]);
  expect(names(tab)).toEqual(["ab_test.participated r1"]);
});

it("a reload is not counted, two people on one phone both are, and once each", async () => {
  const made = world();
  const told: string[] = [];
  for (const userId of ["r1", "r1", "r2", "r1", "r2"]) {
    const tab = await visit(made, { userId });
    await value(made, tab.client.getFlag("test", ""), 6_000);
    told.push(...names(tab));
    tab.kill();
  }
  expect(told).toEqual(["ab_test.participated r1", "ab_test.participated r2"]);
  expect(made.service.events.map(({ unit }) => unit)).toEqual(["r1", "r2"]);
});

it("a new phase is counted again, and so is another variation", async () => {
  const made = world();
  const phases: string[] = [];
  for (const [phase, variation] of [
    [1, "map"],
    [2, "map"],
    [2, "list"],
    [2, "list"],
  ] as const) {
    made.service.flags.set("test", experiment("checkin-v2", phase, variation));
    made.service.version += 1;
    await made.clock.advance(16 * 60_000);
    const tab = await visit(made);
    await value(made, tab.client.getFlag("test", ""), 6_000);
    phases.push(
      ...tab.reported.map((event) => ("phase" in event ? `${event.phase} ${event.variation}` : "")),
    );
    tab.kill();
  }
  expect(phases).toEqual(["1 map", "2 map", "2 list"]);
});

it("the same participation has the same id on every device, and different ones differ", async () => {
  const ids = async (userId: string) => {
    const made = world();
    const tab = await visit(made, { userId });
    await value(made, tab.client.getFlags(["test", "held"]));
    return tab.reported.map(({ id }) => id);
  };
  const [first, again, other] = [await ids("r1"), await ids("r1"), await ids("r2")];
  expect(first).toEqual(again);
  expect(new Set([...first, ...other]).size).toBe(4);
});

it.each([
  [{ key: "k1", userId: "r1" }, undefined, ["key", "userId"], "k1"],
  [{ key: "k1", userId: "r1" }, undefined, ["country", "userId"], "r1"],
  [{ key: "k1", userId: "r1" }, "userId", ["key", "userId"], "r1"],
  [{ userId: "r1", deviceId: 7 }, "deviceId", ["deviceId"], "7"],
  [{ userId: "", anonymousId: "a1" }, undefined, ["anonymousId", "userId"], "a1"],
] as const)(
  "user %j, drawn by %s of %j: counted by %s",
  async (user, unit, relevantContext, counted) => {
    const made = world();
    made.service.flags.set("test", () => {
      const { experiment: drawn, ...result } = experiment("t")({}, 1);
      return {
        ...result,
        relevantContext,
        experiment: { ...drawn, ...(unit && { unit }) } as never,
      };
    });
    const tab = await visit(made, user);
    await value(made, tab.client.getFlag("test", ""));
    expect(tab.reported.map((event) => event.unit)).toEqual([counted]);
  },
);

it("nobody was drawn: nobody is counted", async () => {
  const made = world();
  const tab = await visit(made, { country: "UY" });
  await value(made, tab.client.getFlag("test", ""));
  expect(tab.reported).toEqual([]);
});

it.each(["blocked", "full"] as const)(
  "local storage %s: once a page, and the service has it",
  async (storage) => {
    const made = world();
    made.broken.storage = storage;
    const tab = await visit(made);
    for (let count = 0; count < 3; count += 1)
      await value(made, tab.client.getFlag("test", ""), 6_000);
    expect(names(tab)).toEqual(["ab_test.participated r1"]);
    expect(made.service.events.length).toBe(1);
  },
);

it("somebody else's junk under our keys is written over", async () => {
  const made = world();
  made.storage.set("ab_test_checkin-v2", "{").set("musette_flag_events", "true");
  made.storage.set("musette_flag_overrides", "[1,");
  const tab = await visit(made);
  await value(made, tab.client.getFlag("test", ""), 6_000);
  expect(made.service.events.length).toBe(1);
  expect(tab.warnings).toEqual([]);
});

it("events go in batches of at most 50, or after 5 s", async () => {
  const made = world();
  const keys = Array.from({ length: 120 }, (_, at) => `t${at}`);
  for (const key of keys) made.service.flags.set(key, experiment(key));
  const tab = await visit(made, { userId: "r1" }, { subscribe: keys });
  await value(made, tab.client.getFlags(keys), 100);
  const sent = () => made.service.calls.filter(({ path }) => path === "v3/events");
  expect(sent().length).toBeGreaterThanOrEqual(2);
  await made.clock.advance(5_100);
  expect(made.service.events.length).toBe(120);
  for (const { body } of sent())
    expect((body as unknown as unknown[]).length).toBeLessThanOrEqual(50);
  expect(new Set(made.service.events.map(({ id }) => id)).size).toBe(120);
});

it.each(["hide", "close"] as const)("on %s they go at once, and outlive the page", async (end) => {
  const made = world();
  const tab = await visit(made);
  await value(made, tab.client.getFlag("test", ""), 100);
  expect(made.service.events).toEqual([]);
  if (end === "hide") tab.page("hide");
  else tab.client.close();
  await made.clock.advance(10);
  expect(made.service.calls.at(-1)).toMatchObject({
    method: "POST",
    path: "v3/events",
    keepalive: true,
  });
  expect(made.service.events.length).toBe(1);
});

it.each(["network", 503, 429, "deaf"] as const)(
  "%s: told again until it is heard, once",
  async (fault) => {
    const made = world();
    const tab = await visit(made);
    made.service.faults.push(fault, fault);
    await value(made, tab.client.getFlag("test", ""), 120_000);
    expect(made.service.events.length).toBe(1);
    expect(made.service.calls.filter(({ path }) => path === "v3/events").length).toBe(3);
  },
);

it("refused is refused: not told again", async () => {
  const made = world();
  const tab = await visit(made);
  made.service.faults.push(401);
  await value(made, tab.client.getFlag("test", ""), 600_000);
  expect(made.service.calls.filter(({ path }) => path === "v3/events").length).toBe(1);
});

it("what could not be told is told after a reload, and is no news to the host", async () => {
  const made = world();
  const first = await visit(made);
  made.service.down = "network";
  await value(made, first.client.getFlag("test", ""), 10_000);
  first.kill();
  made.service.down = undefined;
  const next = await visit(made);
  await made.clock.advance(6_000);
  expect(made.service.events.map(({ unit }) => unit)).toEqual(["r1"]);
  expect(next.reported).toEqual([]);
});

it("a host that throws in onEvent keeps its flags", async () => {
  const errors: unknown[] = [];
  vi.stubGlobal("queueMicrotask", (run: () => void) =>
    Promise.resolve()
      .then(run)
      .catch((error) => errors.push(error)),
  );
  const made = world();
  const onEvent = () => {
    throw new Error("a mistake of the host");
  };
  const tab = await visit(made, { userId: "r1" }, { onEvent });
  expect((await value(made, tab.client.getFlag("test", ""), 6_000)).variation).toBe("map");
  expect(errors.length).toBe(1);
  expect(made.service.events.length).toBe(1);
});
