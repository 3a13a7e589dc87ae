import { OpenFeature, ProviderEvents } from "@openfeature/web-sdk";
import { afterEach, expect, it } from "vitest";
import type { FlagKind, FlagResult } from "../flags";
import { always, byCountry, experiment, perUser } from "../flags/fixture/service";
import { createWorld } from "../flags/fixture/world";
import { createTestFlags } from "../flags/testing";
import { MusetteProvider } from "./index";

afterEach(() => OpenFeature.close());

let domains = 0;

/** Sets up the official SDK with values that a test sets. */
async function setUpClient(values: Parameters<typeof createTestFlags>[0]) {
  const flags = createTestFlags(values);
  domains += 1;
  const domain = `d${domains}`;
  await OpenFeature.setProviderAndWait(domain, new MusetteProvider(flags));
  return { flags, client: OpenFeature.getClient(domain) };
}

it("returns values of every type, and the fallback of the code for another type", async () => {
  const { client } = await setUpClient({ on: true, name: "map", count: 3, shape: { a: [1] } });
  expect(client.getBooleanValue("on", false)).toBe(true);
  expect(client.getStringValue("name", "")).toBe("map");
  expect(client.getNumberValue("count", 0)).toBe(3);
  expect(client.getObjectValue("shape", {})).toEqual({ a: [1] });
  expect(client.getBooleanDetails("name", true)).toMatchObject({
    value: true,
    reason: "ERROR",
    errorCode: "TYPE_MISMATCH",
  });
  expect(client.getBooleanDetails("unknown", true)).toMatchObject({
    value: true,
    errorCode: "FLAG_NOT_FOUND",
  });
});

const KINDS: readonly (readonly [FlagKind, string])[] = [
  ["OVERRIDE", "TARGETING_MATCH"],
  ["TARGET", "TARGETING_MATCH"],
  ["RULE", "TARGETING_MATCH"],
  ["ROLLOUT", "SPLIT"],
  ["AB_TEST", "SPLIT"],
  ["HOLDOUT", "SPLIT"],
  ["PREREQUISITE_FAILED", "DEFAULT"],
  ["DEFAULT", "DEFAULT"],
];

it.each(KINDS)("reports %s as the reason %s", async (kind, reason) => {
  const result: Partial<FlagResult> = {
    variation: true,
    variationKey: "on",
    version: 412,
    explanation: { kind, from: "x" },
  };
  const { client } = await setUpClient({ flag: result });
  expect(client.getBooleanDetails("flag", false)).toMatchObject({
    value: true,
    variant: "on",
    reason,
    flagMetadata: { kind, from: "x", version: 412 },
  });
});

it("returns the fallback of the code for a flag that is off", async () => {
  const { client } = await setUpClient({
    flag: { variation: true, explanation: { kind: "OFF", from: "flag" } },
  });
  expect(client.getBooleanDetails("flag", false)).toMatchObject({
    value: false,
    reason: "DISABLED",
  });
});

it("reports an exposure for an evaluation and emits an event for a change", async () => {
  const assignment = { key: "t", variation: "map", phase: 1, bucketVersion: 1, sticky: false };
  const { client, flags } = await setUpClient({
    test: { variation: "map", experiment: assignment },
    on: true,
  });
  expect(flags.exposures).toEqual([]);
  client.getStringValue("test", "");
  expect(flags.exposures).toEqual(["test"]);
  const changed: unknown[] = [];
  client.addHandler(ProviderEvents.ConfigurationChanged, (details) =>
    changed.push(details?.flagsChanged),
  );
  flags.set("on", false);
  await Promise.resolve();
  expect(changed).toEqual([["on"]]);
  expect(client.getBooleanValue("on", true)).toBe(false);
});

it("with the real client uses the context as the user, and returns fallbacks after a failed change", async () => {
  const world = createWorld();
  world.service.flags.set("own", perUser).set("country", byCountry).set("on", always(true));
  world.service.flags.set("test", experiment("t"));
  const tab = world.tab();
  const { clock, service } = world;
  // The SDK waits in real time, but the client works in virtual time.
  const set = async (work: Promise<void>) => {
    const settled = work.catch(() => {});
    await clock.advance(4_000);
    await settled;
  };
  await OpenFeature.setContext("real", { targetingKey: "k1", userId: "r1", since: new Date(0) });
  await set(OpenFeature.setProviderAndWait("real", new MusetteProvider(tab.client)));
  const client = OpenFeature.getClient("real");
  expect(service.evaluations()[0]?.body).toMatchObject({
    key: "k1",
    userId: "r1",
    since: "1970-01-01T00:00:00.000Z",
    featureList: ["country", "on", "own", "test"],
  });
  expect(client.getStringDetails("own", "mine")).toMatchObject({
    value: "of r1",
    reason: "TARGETING_MATCH",
  });
  await set(OpenFeature.setContext("real", { userId: "r2" }));
  expect(client.getStringValue("own", "mine")).toBe("of r2");
  client.getStringValue("test", "");
  await clock.advance(0);
  expect(tab.reported).toMatchObject([{ unit: "r2" }]);
  service.down = 503;
  await set(OpenFeature.setContext("real", { userId: "r3" }));
  expect(client.providerStatus).toBe("ERROR");
  expect(client.getStringDetails("own", "mine")).toMatchObject({ value: "mine", reason: "ERROR" });
  service.down = undefined;
  await set(OpenFeature.setContext("real", { userId: "r1" }));
  expect(client.getStringValue("own", "mine")).toBe("of r1");
});
