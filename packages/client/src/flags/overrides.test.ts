import { expect, it, vi } from "vitest";
import { always, experiment, own } from "./fixture/service";
import { createWorld, type Tab, value, type World } from "./fixture/world";
import type { FlagCache, FlagClientOptions } from "./index";

const FORCED = { variation: false, explanation: { kind: "OVERRIDE", from: "client:override" } };

function world() {
  const made = createWorld();
  made.service.flags.set("on", always(true)).set("own", own);
  return made;
}

function open(made: World, options: Partial<FlagClientOptions> = {}, userId = "r1"): Tab {
  const tab = made.tab({ subscribe: ["on", "own"], ...options });
  void tab.client.setUser({ userId });
  return tab;
}

/** Kept until the page is closed, and the upkeep has had its time. */
async function withOverride(made: World, options: Partial<FlagClientOptions> = {}) {
  const tab = open(made, options);
  await value(made, tab.client.getFlag("on", true));
  tab.client.overrides.set("on", false);
  await made.clock.advance(100);
  tab.kill();
}

it("a page that starts asks local storage for nothing before the first value", async () => {
  const made = world();
  await value(made, open(made).client.getFlag("on", false));
  const read = vi.spyOn(made.storage, "get");
  let readBefore = -1;
  const { client } = open(made);
  const first = client.getFlag("on", false).then((result) => {
    readBefore = read.mock.calls.length;
    return result;
  });
  expect(await value(made, first)).toMatchObject({ variation: true });
  expect(readBefore).toBe(0);
});

it.each<[string, () => Partial<FlagClientOptions>]>([
  ["IndexedDB", () => ({})],
  ["memory", () => ({ cache: "memory" })],
  ["none", () => ({ cache: null })],
  ["the host's", () => ({ cache: new Map() as FlagCache })],
])("the first value of a page is the override, whatever the cache: %s", async (_, options) => {
  const made = world();
  await withOverride(made, options());
  made.service.down = "network";
  const { client } = open(made, options());
  expect(await value(made, client.getFlag("on", true), 1_500)).toMatchObject(FORCED);
  expect((await value(made, client.getFlags(["on"]))).on).toMatchObject(FORCED);
});

it("an override outlives a change of person, which empties the cache", async () => {
  const made = world();
  await withOverride(made);
  const other = open(made, {}, "r2");
  expect(await value(made, other.client.getFlag("on", true))).toMatchObject(FORCED);
  await made.clock.advance(100);
  other.kill();
  const { client } = open(made, {}, "r2");
  expect(await value(made, client.getFlag("on", true), 100)).toMatchObject(FORCED);
  await value(made, client.clearUser());
  await value(made, client.setUser({ userId: "r3" }));
  expect(await value(made, client.getFlag("on", true))).toMatchObject(FORCED);
});

it("what says that there are overrides goes with the last of them", async () => {
  const made = world();
  const rows = () => [...made.disk.keys()].filter((key) => key.endsWith("/fwf-flags-db:"));
  const { client } = open(made);
  await value(made, client.getFlag("on", true));
  expect(rows()).toEqual([]);
  client.overrides.set("on", false);
  client.overrides.set("own", "x");
  await made.clock.advance(10);
  expect(rows()).toHaveLength(1);
  client.overrides.clear("on");
  await made.clock.advance(10);
  expect(rows()).toHaveLength(1);
  client.overrides.clear("own");
  await made.clock.advance(10);
  expect(rows()).toEqual([]);
});

it("who only looks is told of an override once it is known", async () => {
  const made = world();
  await withOverride(made, { cache: null });
  const { client } = made.tab({ cache: null, subscribe: ["on"] });
  const heard = vi.fn();
  client.subscribe(["on"], heard);
  void client.setUser({ userId: "r1" });
  await made.clock.advance(100);
  expect(heard).toHaveBeenCalled();
  expect(client.peek("on")?.result).toMatchObject(FORCED);
});

it("an override reports no participation, however it is asked for", async () => {
  const made = world();
  made.service.flags.set("on", experiment("check-in"));
  await withOverride(made);
  const tab = open(made, {}, "r2");
  await value(made, tab.client.getFlag("own", ""));
  await value(made, tab.client.getFlag("on", true));
  await value(made, tab.client.getFlags(["on"]));
  tab.client.reportExposure("on");
  await made.clock.advance(6_000);
  expect(tab.reported).toEqual([]);
});
