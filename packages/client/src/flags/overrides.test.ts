import { expect, it, vi } from "vitest";
import { always, experiment, perUser } from "./fixture/service";
import { createWorld, type Tab, value, type World } from "./fixture/world";
import type { FlagCache, FlagClientOptions } from "./index";

const FORCED = { variation: false, explanation: { kind: "OVERRIDE", from: "client:override" } };

function setUpWorld() {
  const world = createWorld();
  world.service.flags.set("on", always(true)).set("own", perUser);
  return world;
}

function open(world: World, options: Partial<FlagClientOptions> = {}, userId = "r1"): Tab {
  const tab = world.tab({ subscribe: ["on", "own"], ...options });
  void tab.client.setUser({ userId });
  return tab;
}

/** Sets an override, gives the background work time to mark it in the cache, and closes the page. */
async function setOverride(world: World, options: Partial<FlagClientOptions> = {}) {
  const tab = open(world, options);
  await value(world, tab.client.getFlag("on", true));
  tab.client.overrides.set("on", false);
  await world.clock.advance(100);
  tab.kill();
}

it("does not read local storage before the first value of a starting page", async () => {
  const world = setUpWorld();
  await value(world, open(world).client.getFlag("on", false));
  const read = vi.spyOn(world.storage, "get");
  let readBefore = -1;
  const { client } = open(world);
  const first = client.getFlag("on", false).then((result) => {
    readBefore = read.mock.calls.length;
    return result;
  });
  expect(await value(world, first)).toMatchObject({ variation: true });
  expect(readBefore).toBe(0);
});

it.each<[string, () => Partial<FlagClientOptions>]>([
  ["IndexedDB", () => ({})],
  ["memory", () => ({ cache: "memory" })],
  ["none", () => ({ cache: null })],
  ["the host's", () => ({ cache: new Map() as FlagCache })],
])(
  "returns the override as the first value of a page, with every cache: %s",
  async (_, options) => {
    const world = setUpWorld();
    await setOverride(world, options());
    world.service.down = "network";
    const { client } = open(world, options());
    expect(await value(world, client.getFlag("on", true), 1_500)).toMatchObject(FORCED);
    expect((await value(world, client.getFlags(["on"]))).on).toMatchObject(FORCED);
  },
);

it("keeps an override when a change of user empties the cache", async () => {
  const world = setUpWorld();
  await setOverride(world);
  const other = open(world, {}, "r2");
  expect(await value(world, other.client.getFlag("on", true))).toMatchObject(FORCED);
  await world.clock.advance(100);
  other.kill();
  const { client } = open(world, {}, "r2");
  expect(await value(world, client.getFlag("on", true), 100)).toMatchObject(FORCED);
  await value(world, client.clearUser());
  await value(world, client.setUser({ userId: "r3" }));
  expect(await value(world, client.getFlag("on", true))).toMatchObject(FORCED);
});

it("removes the marker of overrides from the cache with the last override", async () => {
  const world = setUpWorld();
  const rows = () => [...world.disk.keys()].filter((key) => key.endsWith("/fwf-flags-db:"));
  const { client } = open(world);
  await value(world, client.getFlag("on", true));
  expect(rows()).toEqual([]);
  client.overrides.set("on", false);
  client.overrides.set("own", "x");
  await world.clock.advance(10);
  expect(rows()).toHaveLength(1);
  client.overrides.clear("on");
  await world.clock.advance(10);
  expect(rows()).toHaveLength(1);
  client.overrides.clear("own");
  await world.clock.advance(10);
  expect(rows()).toEqual([]);
});

it("notifies a subscriber of an override after it is read", async () => {
  const world = setUpWorld();
  await setOverride(world, { cache: null });
  const { client } = world.tab({ cache: null, subscribe: ["on"] });
  const listener = vi.fn();
  client.subscribe(["on"], listener);
  void client.setUser({ userId: "r1" });
  await world.clock.advance(100);
  expect(listener).toHaveBeenCalled();
  expect(client.peek("on")?.result).toMatchObject(FORCED);
});

it("reports no participation for an override by any method", async () => {
  const world = setUpWorld();
  world.service.flags.set("on", experiment("check-in"));
  await setOverride(world);
  const tab = open(world, {}, "r2");
  await value(world, tab.client.getFlag("own", ""));
  await value(world, tab.client.getFlag("on", true));
  await value(world, tab.client.getFlags(["on"]));
  tab.client.reportExposure("on");
  await world.clock.advance(6_000);
  expect(tab.reported).toEqual([]);
});
