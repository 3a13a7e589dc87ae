// `@openfeature/server-sdk` with `@openfeature/ofrep-provider`: one request per evaluation.

import assert from "node:assert/strict";
import { OFREPProvider } from "@openfeature/ofrep-provider";
import { ErrorCode, OpenFeature } from "@openfeature/server-sdk";

let domains = 0;

async function client(program, headers) {
  domains += 1;
  const domain = `server-${domains}`;
  const own = [["Authorization", `Bearer ${program.serverKey}`]];
  const provider = new OFREPProvider({ baseUrl: program.url, headers: headers ?? own });
  await OpenFeature.setProviderAndWait(domain, provider);
  return OpenFeature.getClient(domain);
}

export const serverScenarios = {
  "returns every type unchanged": async (program) => {
    const flags = await client(program);
    assert.equal(await flags.getBooleanValue("boolean", false), true);
    assert.equal(await flags.getStringValue("string", "x"), "yes · “sí”");
    assert.equal(await flags.getNumberValue("integer", 0), 42);
    assert.equal(await flags.getNumberValue("float", 0), 0.5);
    assert.equal(await flags.getNumberValue("huge", 0), Number.MAX_SAFE_INTEGER);
    const object = await flags.getObjectValue("object", {});
    assert.deepEqual(object, { title: "Check-in", steps: [1, 2, { last: true }] });
    assert.deepEqual(await flags.getObjectValue("list", []), [1, "two"]);
  },

  "details contain the variant, the reason and the source of the decision": async (program) => {
    const flags = await client(program);
    const details = await flags.getBooleanDetails("boolean", false);
    assert.equal(details.variant, "v1");
    assert.equal(details.reason, "STATIC");
    assert.equal(details.errorCode, undefined);
    assert.equal(details.flagMetadata.kind, "DEFAULT");
    assert.equal(details.flagMetadata.from, "default");
    assert.equal(typeof details.flagMetadata.version, "number");
  },

  "distinguishes a matching rule, a rule without a match, and a flag without rules": async (
    program,
  ) => {
    const flags = await client(program);
    const reason = async (key, context) =>
      (await flags.getBooleanDetails(key, false, context)).reason;
    assert.equal(await reason("in-uruguay", { country: "UY" }), "TARGETING_MATCH");
    assert.equal(await reason("in-uruguay", { country: "DE" }), "DEFAULT");
    assert.equal(await reason("boolean", {}), "STATIC");
    assert.equal(await reason("by-user", { userId: "u1" }), "SPLIT");
  },

  "evaluates attributes of every type": async (program) => {
    const flags = await client(program);
    const value = (key, context) => flags.getBooleanValue(key, false, context);
    assert.equal(await value("in-uruguay", { country: "UY" }), true);
    assert.equal(await value("long-hours", { hours: 10 }), true);
    assert.equal(await value("long-hours", { hours: 9.5 }), false);
    assert.equal(await value("long-hours", { hours: "10" }), false);
    assert.equal(await value("for-pros", { pro: true }), true);
    assert.equal(await value("for-pros", { pro: "true" }), false);
    assert.equal(await value("in-uruguay", { country: { a: [new Date(0)] } }), false);
  },

  "assigns by the targeting key": async (program) => {
    const flags = await client(program);
    const drawn = new Set();
    for (let i = 0; i < 40; i += 1) {
      const context = { targetingKey: `person ${i}` };
      const value = await flags.getBooleanValue("by-key", false, context);
      assert.equal(await flags.getBooleanValue("by-key", false, context), value);
      drawn.add(value);
    }
    assert.equal(drawn.size, 2, "half of them each");
  },

  "returns the default and an error code without a targeting key": async (program) => {
    const flags = await client(program);
    const details = await flags.getBooleanDetails("by-key", true, { userId: "u1" });
    assert.equal(details.value, true);
    assert.equal(details.errorCode, ErrorCode.TARGETING_KEY_MISSING);
    assert.equal(details.reason, "ERROR");
  },

  "returns the default and an error code for an unknown flag": async (program) => {
    const flags = await client(program);
    const details = await flags.getStringDetails("nope", "mine");
    assert.equal(details.value, "mine");
    assert.equal(details.errorCode, ErrorCode.FLAG_NOT_FOUND);
  },

  "returns the default and an error code for another type": async (program) => {
    const flags = await client(program);
    const details = await flags.getBooleanDetails("string", true);
    assert.equal(details.value, true);
    assert.equal(details.errorCode, ErrorCode.TYPE_MISMATCH);
  },

  "returns the default for a flag that is off": async (program) => {
    const flags = await client(program);
    assert.equal(await flags.getBooleanValue("off", true), true);
    assert.equal(await flags.getBooleanValue("off", false), false);
  },

  "returns the default and an error for a wrong key": async (program) => {
    const flags = await client(program, [["Authorization", "Bearer nobody"]]);
    const details = await flags.getBooleanDetails("boolean", false);
    assert.equal(details.value, false);
    assert.equal(details.errorCode, ErrorCode.GENERAL);
  },

  "accepts the key as X-API-Key": async (program) => {
    const flags = await client(program, [["X-API-Key", program.serverKey]]);
    assert.equal(await flags.getBooleanValue("boolean", false), true);
    assert.equal(await flags.getBooleanValue("hidden", false), true, "a server's key sees all");
  },
};
