import { expect, it } from "vitest";
import { always, experiment } from "./fixture/service";
import { createWorld, type Tab, value, type World } from "./fixture/world";
import type { FlagUser } from "./index";

function world(): World {
  const made = createWorld();
  made.service.flags
    .set("on", always(true))
    .set("test", experiment("start-tip"))
    .set("again", experiment("other", 1, "map", "userId"))
    .set("device", experiment("device", 1, "map", "anonymousId"));
  return made;
}

async function visit(made: World, subscribe: string[], user: FlagUser): Promise<Tab> {
  const tab = made.tab({ subscribe });
  await value(made, tab.client.setUser(user), 100);
  await value(made, tab.client.ready(subscribe), 100);
  return tab;
}

const sent = ({ service }: World) => service.calls.filter(({ path }) => path === "v3/metrics");

it("goes to the service as the contract has it, after 5 s", async () => {
  const made = world();
  const { client } = await visit(made, ["test"], { userId: "r1" });
  const at = new Date(made.clock.now()).toISOString();
  client.reportMetric("tip_opened");
  await made.clock.advance(4_900);
  expect(sent(made)).toEqual([]);
  await made.clock.advance(200);
  expect(made.service.metrics).toEqual([
    { id: expect.stringMatching(/^.{8,}$/), unit: "r1", metric: "tip_opened", value: 1, at },
  ]);
  expect(sent(made)).toMatchObject([{ method: "POST", keepalive: false }]);
});

it("each report counts, with its value", async () => {
  const made = world();
  const { client } = await visit(made, ["test"], { userId: "r1" });
  for (const minutes of [3, 3, 0.5]) client.reportMetric("minutes_late", minutes);
  await made.clock.advance(5_100);
  expect(made.service.metrics.map((metric) => metric.value)).toEqual([3, 3, 0.5]);
  expect(new Set(made.service.metrics.map(({ id }) => id)).size).toBe(3);
});

it("under each id that a test of theirs draws by, once where two draw by the same", async () => {
  const made = world();
  const user = { key: "k1", userId: "r1", anonymousId: "a1" };
  const { client } = await visit(made, ["again", "device", "on"], user);
  client.reportMetric("tip_opened");
  await made.clock.advance(5_100);
  expect(made.service.metrics.map(({ unit }) => unit).sort()).toEqual(["a1", "r1"]);
});

it("in no test: under the first id there is; without any, not at all", async () => {
  const made = world();
  const first = await visit(made, ["on"], { country: "UY", userId: "r1", anonymousId: "a1" });
  first.client.reportMetric("tip_opened");
  await made.clock.advance(5_100);
  expect(made.service.metrics.map(({ unit }) => unit)).toEqual(["r1"]);
  const nobody = await visit(made, ["on"], { country: "UY" });
  nobody.client.reportMetric("tip_opened");
  await made.clock.advance(5_100);
  expect(made.service.metrics.length).toBe(1);
});

it("without a user it is nobody's", async () => {
  const made = world();
  const { client } = made.tab({ subscribe: ["test"] });
  client.reportMetric("tip_opened");
  await made.clock.advance(10_000);
  expect(sent(made)).toEqual([]);
});

it("whoever did it, did it: also when somebody else comes before it is told", async () => {
  const made = world();
  const { client } = await visit(made, ["test"], { userId: "r1" });
  client.reportMetric("tip_opened");
  await value(made, client.setUser({ userId: "r2" }), 100);
  client.reportMetric("tip_opened");
  await made.clock.advance(5_100);
  expect(made.service.metrics.map(({ unit }) => unit)).toEqual(["r1", "r2"]);
});

it("outlives the page: sent when it is left, or kept until the service is back", async () => {
  const made = world();
  const first = await visit(made, ["test"], { userId: "r1" });
  first.client.reportMetric("tip_opened");
  first.page("hide");
  await made.clock.advance(10);
  expect(sent(made)).toMatchObject([{ keepalive: true }]);
  expect(made.service.metrics.length).toBe(1);

  made.service.down = "network";
  first.client.reportMetric("tip_opened");
  await made.clock.advance(6_000);
  first.kill();
  made.service.down = undefined;
  await visit(made, ["test"], { userId: "r1" });
  await made.clock.advance(6_000);
  expect(made.service.metrics.length).toBe(2);
});

it("at most 50 in one request, and no participations among them", async () => {
  const made = world();
  const { client } = await visit(made, ["test"], { userId: "r1" });
  await value(made, client.getFlag("test", ""), 10);
  for (let count = 0; count < 120; count += 1) client.reportMetric("tap");
  await made.clock.advance(5_100);
  expect(made.service.metrics.length).toBe(120);
  for (const { body } of sent(made))
    expect((body as unknown as unknown[]).length).toBeLessThanOrEqual(50);
  expect(made.service.events.length).toBe(1);
});
