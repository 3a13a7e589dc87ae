import { expect, it } from "vitest";
import { always, own } from "./fixture/service";
import { createWorld, type Tab, value, type World } from "./fixture/world";

function world() {
  const made = createWorld();
  made.service.flags.set("on", always(true)).set("own", own);
  return made;
}

async function signedIn(made: World, userId = "r1", apiVersion = "v3"): Promise<Tab> {
  const tab = made.tab({ subscribe: ["on", "own"], stream: true, apiVersion });
  await value(made, tab.client.setUser({ userId }), 100);
  return tab;
}

const tickets = ({ service }: World) =>
  service.calls.filter(({ path }) => path === "v3/stream-tickets").length;

it.each(["v1", "v2", "v3"])(
  "%s: a published change is there within a second",
  async (apiVersion) => {
    const made = world();
    const { client } = await signedIn(made, "r1", apiVersion);
    expect(made.service.streams.size).toBe(1);
    made.service.publish("on", always(false));
    await made.clock.advance(100);
    expect(client.peek("on")?.result.variation).toBe(false);
  },
);

it("five tabs have one stream, one request, and all have the change", async () => {
  const made = world();
  const tabs: Tab[] = [];
  for (let count = 0; count < 5; count += 1) tabs.push(await signedIn(made));
  expect(made.service.streams.size).toBe(1);
  const before = made.service.evaluations().length;
  made.service.publish("on", always(false));
  await made.clock.advance(1_000);
  expect(made.service.evaluations().length).toBe(before + 1);
  for (const { client } of tabs) expect(client.peek("on")?.result.variation).toBe(false);
});

it("when the tab that has the stream dies, the next has it", async () => {
  const made = world();
  const [first, second] = [await signedIn(made), await signedIn(made)];
  first.kill();
  made.service.streams.clear();
  await made.clock.advance(1_000);
  expect(made.service.streams.size).toBe(1);
  made.service.publish("on", always(false));
  await made.clock.advance(1_000);
  expect(second.client.peek("on")?.result.variation).toBe(false);
});

it("a tab that nobody looks at has no stream, and hears what it missed", async () => {
  const made = world();
  const tab = await signedIn(made);
  tab.visible = false;
  tab.page("hide");
  await made.clock.advance(100);
  expect(made.service.streams.size).toBe(0);
  made.service.publish("on", always(false));
  await made.clock.advance(60_000);
  expect(tab.client.peek("on")?.result.variation).toBe(true);
  tab.visible = true;
  tab.page("wake");
  await made.clock.advance(100);
  expect(made.service.streams.size).toBe(1);
  expect(tab.client.peek("on")?.result.variation).toBe(false);
});

it("a lost stream comes back, with a new ticket, ever later, and asks what it missed", async () => {
  const made = world();
  const { client } = await signedIn(made);
  made.service.cutStreams();
  made.service.streams.clear();
  made.service.publish("on", always(false));
  await made.clock.advance(1_100);
  expect(made.service.streams.size).toBe(1);
  expect(client.peek("on")?.result.variation).toBe(false);
  made.service.down = "network";
  made.service.cutStreams();
  made.service.streams.clear();
  const before = tickets(made);
  await made.clock.advance(10 * 60_000);
  // 1.5, 3, 6, 12, 24 s, and then one every 45 s: not a storm.
  expect(tickets(made) - before).toBeGreaterThan(10);
  expect(tickets(made) - before).toBeLessThan(25);
  made.service.down = undefined;
  await made.clock.advance(60_000);
  expect(made.service.streams.size).toBe(1);
});

it("online again: no need to wait", async () => {
  const made = world();
  const tab = await signedIn(made);
  made.service.down = "network";
  made.service.cutStreams();
  made.service.streams.clear();
  await made.clock.advance(10 * 60_000);
  made.service.down = undefined;
  tab.page("wake");
  await made.clock.advance(50);
  expect(made.service.streams.size).toBe(1);
});

it.each([401, 404] as const)(
  "a service without streams (%i) is not asked again",
  async (status) => {
    const made = world();
    const { request } = { request: made.service.respond };
    made.service.respond = (call) =>
      call.path === "v3/stream-tickets"
        ? ({
            status,
            ok: false,
            headers: new Headers(),
            json: async () => ({}),
          } as unknown as Response)
        : request(call);
    await signedIn(made);
    await made.clock.advance(60 * 60_000);
    expect(tickets(made)).toBe(1);
  },
);

it("an answer of a node that has not heard of the change yet is not the last word", async () => {
  const made = world();
  const { client } = await signedIn(made);
  const { evaluate } = made.service;
  const late = made.clock.now() + 800;
  made.service.publish("on", always(false));
  const published = made.service.version;
  made.service.version = published - 1;
  made.service.evaluate = (key, user) =>
    key === "on" && made.clock.now() < late
      ? {
          variation: true,
          explanation: { kind: "DEFAULT", from: "default" },
          version: published - 1,
        }
      : evaluate(key, user);
  made.clock.after(800, () => {
    made.service.version = published;
  });
  await made.clock.advance(500);
  expect(client.peek("on")?.result.variation).toBe(true);
  await made.clock.advance(1_500);
  expect(client.peek("on")?.result.variation).toBe(false);
});

it("what changed between the first answer and the stream is seen with the next check", async () => {
  const made = world();
  const { client } = await signedIn(made);
  made.service.flags.set("on", always(false));
  made.service.version += 1;
  await made.clock.advance(60_000);
  expect(client.peek("on")?.result.variation).toBe(false);
});

it("what is no message of ours is ignored", async () => {
  const made = world();
  await signedIn(made);
  const before = made.service.evaluations().length;
  for (const { hear } of made.service.streams) {
    hear("");
    hear("null");
    hear('{"type":"other","version":9}');
  }
  await made.clock.advance(5_000);
  expect(made.service.evaluations().length).toBe(before);
});

it("closed: no stream, and no more attempts", async () => {
  const made = world();
  const { client } = await signedIn(made);
  client.close();
  await made.clock.advance(60 * 60_000);
  expect(made.service.streams.size).toBe(0);
  expect(tickets(made)).toBe(1);
});
