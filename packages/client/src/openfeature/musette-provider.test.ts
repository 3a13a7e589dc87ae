import { OpenFeature, ProviderEvents } from "@openfeature/web-sdk";
import { afterEach, expect, it } from "vitest";
import type { FlagKind, FlagResult } from "../flags";
import { always, byCountry, experiment, own } from "../flags/fixture/service";
import { createWorld } from "../flags/fixture/world";
import { createTestFlags } from "../flags/testing";
import { MusetteProvider } from "./index";

afterEach(() => OpenFeature.close());

let domains = 0;

/** The official SDK, over values that a test sets. */
async function over(values: Parameters<typeof createTestFlags>[0]) {
  const flags = createTestFlags(values);
  domains += 1;
  const domain = `d${domains}`;
  await OpenFeature.setProviderAndWait(domain, new MusetteProvider(flags));
  return { flags, client: OpenFeature.getClient(domain) };
}

it("values of every type, and the code's own where the type is another", async () => {
  const { client } = await over({ on: true, name: "map", count: 3, shape: { a: [1] } });
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

it.each(KINDS)("%s is the reason %s", async (kind, reason) => {
  const result: Partial<FlagResult> = {
    variation: true,
    variationKey: "on",
    version: 412,
    explanation: { kind, from: "x" },
  };
  const { client } = await over({ flag: result });
  expect(client.getBooleanDetails("flag", false)).toMatchObject({
    value: true,
    variant: "on",
    reason,
    flagMetadata: { kind, from: "x", version: 412 },
  });
});

it("a flag that is off leaves the value to the code", async () => {
  const { client } = await over({
    flag: { variation: true, explanation: { kind: "OFF", from: "flag" } },
  });
  expect(client.getBooleanDetails("flag", false)).toMatchObject({
    value: false,
    reason: "DISABLED",
  });
});

it("evaluating takes part, and a change is told", async () => {
  const drawn = { key: "t", variation: "map", phase: 1, bucketVersion: 1, sticky: false };
  const { client, flags } = await over({ test: { variation: "map", experiment: drawn }, on: true });
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

it("over the real client: the context is the user, and a failed switch shows nobody's values", async () => {
  const world = createWorld();
  world.service.flags.set("own", own).set("country", byCountry).set("on", always(true));
  world.service.flags.set("test", experiment("t"));
  const tab = world.tab();
  const { clock, service } = world;
  // The SDK waits in real time for what happens in virtual time.
  const set = async (work: Promise<void>) => {
    const done = work.catch(() => {});
    await clock.advance(4_000);
    await done;
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
