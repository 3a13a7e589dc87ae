import { expect, it } from "vitest";
import { always, experiment } from "./fixture/service";
import { createWorld, type Tab, value, type World } from "./fixture/world";
import type { FlagUser } from "./index";

function setUpWorld(): World {
  const world = createWorld();
  world.service.flags
    .set("on", always(true))
    .set("test", experiment("start-tip"))
    .set("again", experiment("other", 1, "map", "userId"))
    .set("device", experiment("device", 1, "map", "anonymousId"));
  return world;
}

async function visit(world: World, subscribe: string[], user: FlagUser): Promise<Tab> {
  const tab = world.tab({ subscribe });
  await value(world, tab.client.setUser(user), 100);
  await value(world, tab.client.ready(subscribe), 100);
  return tab;
}

const metricCalls = ({ service }: World) =>
  service.calls.filter(({ path }) => path === "v3/metrics");

it("sends a metric value in the format of the contract after 5 s", async () => {
  const world = setUpWorld();
  const { client } = await visit(world, ["test"], { userId: "r1" });
  const at = new Date(world.clock.now()).toISOString();
  client.reportMetric("tip_opened");
  await world.clock.advance(4_900);
  expect(metricCalls(world)).toEqual([]);
  await world.clock.advance(200);
  expect(world.service.metrics).toEqual([
    { id: expect.stringMatching(/^.{8,}$/), unit: "r1", metric: "tip_opened", value: 1, at },
  ]);
  expect(metricCalls(world)).toMatchObject([{ method: "POST", keepalive: false }]);
});

it("sends each reported value", async () => {
  const world = setUpWorld();
  const { client } = await visit(world, ["test"], { userId: "r1" });
  for (const minutes of [3, 3, 0.5]) client.reportMetric("minutes_late", minutes);
  await world.clock.advance(5_100);
  expect(world.service.metrics.map((metric) => metric.value)).toEqual([3, 3, 0.5]);
  expect(new Set(world.service.metrics.map(({ id }) => id)).size).toBe(3);
});

it("sends one value for each randomization unit of the user's experiments", async () => {
  const world = setUpWorld();
  const user = { key: "k1", userId: "r1", anonymousId: "a1" };
  const { client } = await visit(world, ["again", "device", "on"], user);
  client.reportMetric("tip_opened");
  await world.clock.advance(5_100);
  expect(world.service.metrics.map(({ unit }) => unit).sort()).toEqual(["a1", "r1"]);
});

it("uses the user's first id outside of experiments, and sends nothing without an id", async () => {
  const world = setUpWorld();
  const first = await visit(world, ["on"], { country: "UY", userId: "r1", anonymousId: "a1" });
  first.client.reportMetric("tip_opened");
  await world.clock.advance(5_100);
  expect(world.service.metrics.map(({ unit }) => unit)).toEqual(["r1"]);
  const withoutId = await visit(world, ["on"], { country: "UY" });
  withoutId.client.reportMetric("tip_opened");
  await world.clock.advance(5_100);
  expect(world.service.metrics.length).toBe(1);
});

it("drops a metric value that is reported without a user", async () => {
  const world = setUpWorld();
  const { client } = world.tab({ subscribe: ["test"] });
  client.reportMetric("tip_opened");
  await world.clock.advance(10_000);
  expect(metricCalls(world)).toEqual([]);
});

it("keeps the user of a reported value when the user changes before it is sent", async () => {
  const world = setUpWorld();
  const { client } = await visit(world, ["test"], { userId: "r1" });
  client.reportMetric("tip_opened");
  await value(world, client.setUser({ userId: "r2" }), 100);
  client.reportMetric("tip_opened");
  await world.clock.advance(5_100);
  expect(world.service.metrics.map(({ unit }) => unit)).toEqual(["r1", "r2"]);
});

it("sends values when the page is hidden, or after a reload if the service was down", async () => {
  const world = setUpWorld();
  const first = await visit(world, ["test"], { userId: "r1" });
  first.client.reportMetric("tip_opened");
  first.page("hide");
  await world.clock.advance(10);
  expect(metricCalls(world)).toMatchObject([{ keepalive: true }]);
  expect(world.service.metrics.length).toBe(1);

  world.service.down = "network";
  first.client.reportMetric("tip_opened");
  await world.clock.advance(6_000);
  first.kill();
  world.service.down = undefined;
  await visit(world, ["test"], { userId: "r1" });
  await world.clock.advance(6_000);
  expect(world.service.metrics.length).toBe(2);
});

it("sends at most 50 values in one request, separate from participations", async () => {
  const world = setUpWorld();
  const { client } = await visit(world, ["test"], { userId: "r1" });
  await value(world, client.getFlag("test", ""), 10);
  for (let count = 0; count < 120; count += 1) client.reportMetric("tap");
  await world.clock.advance(5_100);
  expect(world.service.metrics.length).toBe(120);
  for (const { body } of metricCalls(world))
    expect((body as unknown as unknown[]).length).toBeLessThanOrEqual(50);
  expect(world.service.events.length).toBe(1);
});
