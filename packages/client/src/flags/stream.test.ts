import { expect, it } from "vitest";
import { always, perUser } from "./fixture/service";
import { createWorld, type Tab, value, type World } from "./fixture/world";

function setUpWorld() {
  const world = createWorld();
  world.service.flags.set("on", always(true)).set("own", perUser);
  return world;
}

async function signedIn(world: World, userId = "r1", apiVersion = "v3"): Promise<Tab> {
  const tab = world.tab({ subscribe: ["on", "own"], stream: true, apiVersion });
  await value(world, tab.client.setUser({ userId }), 100);
  return tab;
}

const tickets = ({ service }: World) =>
  service.calls.filter(({ path }) => path === "v3/stream-tickets").length;

it.each(["v1", "v2", "v3"])(
  "%s: receives a published change within one second",
  async (apiVersion) => {
    const world = setUpWorld();
    const { client } = await signedIn(world, "r1", apiVersion);
    expect(world.service.streams.size).toBe(1);
    world.service.publish("on", always(false));
    await world.clock.advance(100);
    expect(client.peek("on")?.result.variation).toBe(false);
  },
);

it("five tabs share one stream and one request, and all receive the change", async () => {
  const world = setUpWorld();
  const tabs: Tab[] = [];
  for (let count = 0; count < 5; count += 1) tabs.push(await signedIn(world));
  expect(world.service.streams.size).toBe(1);
  const before = world.service.evaluations().length;
  world.service.publish("on", always(false));
  await world.clock.advance(1_000);
  expect(world.service.evaluations().length).toBe(before + 1);
  for (const { client } of tabs) expect(client.peek("on")?.result.variation).toBe(false);
});

it("another tab opens the stream when the tab with the stream is killed", async () => {
  const world = setUpWorld();
  const [first, second] = [await signedIn(world), await signedIn(world)];
  first.kill();
  world.service.streams.clear();
  await world.clock.advance(1_000);
  expect(world.service.streams.size).toBe(1);
  world.service.publish("on", always(false));
  await world.clock.advance(1_000);
  expect(second.client.peek("on")?.result.variation).toBe(false);
});

it("a hidden tab has no stream and fetches missed changes when visible again", async () => {
  const world = setUpWorld();
  const tab = await signedIn(world);
  tab.visible = false;
  tab.page("hide");
  await world.clock.advance(100);
  expect(world.service.streams.size).toBe(0);
  world.service.publish("on", always(false));
  await world.clock.advance(60_000);
  expect(tab.client.peek("on")?.result.variation).toBe(true);
  tab.visible = true;
  tab.page("wake");
  await world.clock.advance(100);
  expect(world.service.streams.size).toBe(1);
  expect(tab.client.peek("on")?.result.variation).toBe(false);
});

it("reconnects a lost stream with a new ticket and growing backoff, and fetches missed changes", async () => {
  const world = setUpWorld();
  const { client } = await signedIn(world);
  world.service.cutStreams();
  world.service.streams.clear();
  world.service.publish("on", always(false));
  await world.clock.advance(1_100);
  expect(world.service.streams.size).toBe(1);
  expect(client.peek("on")?.result.variation).toBe(false);
  world.service.down = "network";
  world.service.cutStreams();
  world.service.streams.clear();
  const before = tickets(world);
  await world.clock.advance(10 * 60_000);
  // The delays are 1.5, 3, 6, 12 and 24 s, and then 45 s each.
  expect(tickets(world) - before).toBeGreaterThan(10);
  expect(tickets(world) - before).toBeLessThan(25);
  world.service.down = undefined;
  await world.clock.advance(60_000);
  expect(world.service.streams.size).toBe(1);
});

it("reconnects without waiting for the backoff when online again", async () => {
  const world = setUpWorld();
  const tab = await signedIn(world);
  world.service.down = "network";
  world.service.cutStreams();
  world.service.streams.clear();
  await world.clock.advance(10 * 60_000);
  world.service.down = undefined;
  tab.page("wake");
  await world.clock.advance(50);
  expect(world.service.streams.size).toBe(1);
});

it.each([401, 404] as const)(
  "does not retry if the service has no streams (%i)",
  async (status) => {
    const world = setUpWorld();
    const { request } = { request: world.service.respond };
    world.service.respond = (call) =>
      call.path === "v3/stream-tickets"
        ? ({
            status,
            ok: false,
            headers: new Headers(),
            json: async () => ({}),
          } as unknown as Response)
        : request(call);
    await signedIn(world);
    await world.clock.advance(60 * 60_000);
    expect(tickets(world)).toBe(1);
  },
);

it("refetches until it gets the published version, if a node is behind", async () => {
  const world = setUpWorld();
  const { client } = await signedIn(world);
  const { evaluate } = world.service;
  const caughtUpMs = world.clock.now() + 800;
  world.service.publish("on", always(false));
  const published = world.service.version;
  world.service.version = published - 1;
  world.service.evaluate = (key, user) =>
    key === "on" && world.clock.now() < caughtUpMs
      ? {
          variation: true,
          explanation: { kind: "DEFAULT", from: "default" },
          version: published - 1,
        }
      : evaluate(key, user);
  world.clock.after(800, () => {
    world.service.version = published;
  });
  await world.clock.advance(500);
  expect(client.peek("on")?.result.variation).toBe(true);
  await world.clock.advance(1_500);
  expect(client.peek("on")?.result.variation).toBe(false);
});

it("sees a change between the first response and the stream at the next check", async () => {
  const world = setUpWorld();
  const { client } = await signedIn(world);
  world.service.flags.set("on", always(false));
  world.service.version += 1;
  await world.clock.advance(60_000);
  expect(client.peek("on")?.result.variation).toBe(false);
});

it("ignores unknown messages of the stream", async () => {
  const world = setUpWorld();
  await signedIn(world);
  const before = world.service.evaluations().length;
  for (const { onMessage } of world.service.streams) {
    onMessage("");
    onMessage("null");
    onMessage('{"type":"other","version":9}');
  }
  await world.clock.advance(5_000);
  expect(world.service.evaluations().length).toBe(before);
});

it("close ends the stream and all retries", async () => {
  const world = setUpWorld();
  const { client } = await signedIn(world);
  client.close();
  await world.clock.advance(60 * 60_000);
  expect(world.service.streams.size).toBe(0);
  expect(tickets(world)).toBe(1);
});
