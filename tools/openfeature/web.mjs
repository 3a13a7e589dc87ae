// `@openfeature/web-sdk` with `@openfeature/ofrep-web-provider`: fetches all flags at once, caches
// them, and fetches them again on an event of the stream.

import assert from "node:assert/strict";
import { OFREPWebProvider } from "@openfeature/ofrep-web-provider";
import { ErrorCode, OpenFeature, ProviderEvents } from "@openfeature/web-sdk";
import { FetchEventSource } from "./browser.mjs";
import { changed, configuration } from "./program.mjs";

let domains = 0;

/** Records responses, so that a scenario can distinguish a 304 from a 200. */
function recording(requests) {
  return async (request) => {
    const response = await fetch(request);
    requests.push({ url: request.url, status: response.status });
    return response;
  };
}

async function open(program, context, options = {}) {
  domains += 1;
  const domain = `web-${domains}`;
  const requests = [];
  const key = options.key ?? program.clientKey;
  const provider = new OFREPWebProvider({
    baseUrl: program.url,
    headers: [["Authorization", `Bearer ${key}`]],
    fetchImplementation: recording(requests),
    cacheMode: "disabled",
    ...options.provider,
  });
  await OpenFeature.setContext(domain, context);
  await OpenFeature.setProviderAndWait(domain, provider);
  return {
    flags: OpenFeature.getClient(domain),
    requests,
    to: (next) => OpenFeature.setContext(domain, next),
    close: async () => {
      await provider.onClose();
      // The provider opens its stream again if an evaluation was under way when it was closed.
      for (let quiet = 0; quiet < 20; quiet += 1) {
        await new Promise((resolve) => setTimeout(resolve, 10));
        for (const source of streamsOf(program)) {
          source.close();
          quiet = 0;
        }
      }
    },
  };
}

/** Waits until a condition holds, at most `ms` milliseconds. */
async function within(ms, what, holds) {
  const until = Date.now() + ms;
  while (!holds()) {
    assert.ok(Date.now() < until, `not within ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const streamsOf = (program) =>
  [...FetchEventSource.open].filter((source) => source.url.startsWith(program.url));

export const webScenarios = {
  "returns every type unchanged": async (program) => {
    const { flags, close } = await open(program, {});
    assert.equal(flags.getBooleanValue("boolean", false), true);
    assert.equal(flags.getStringValue("string", "x"), "yes · “sí”");
    assert.equal(flags.getNumberValue("integer", 0), 42);
    assert.equal(flags.getNumberValue("float", 0), 0.5);
    assert.equal(flags.getNumberValue("huge", 0), Number.MAX_SAFE_INTEGER);
    const object = flags.getObjectValue("object", {});
    assert.deepEqual(object, { title: "Check-in", steps: [1, 2, { last: true }] });
    assert.deepEqual(flags.getObjectValue("list", []), [1, "two"]);
    await close();
  },

  "reasons, variants and metadata": async (program) => {
    const { flags, close } = await open(program, { country: "UY", userId: "u1" });
    const reason = (key) => flags.getBooleanDetails(key, false).reason;
    assert.equal(reason("in-uruguay"), "TARGETING_MATCH");
    assert.equal(reason("long-hours"), "DEFAULT");
    assert.equal(reason("boolean"), "STATIC");
    assert.equal(reason("by-user"), "SPLIT");
    const details = flags.getBooleanDetails("in-uruguay", false);
    assert.equal(details.variant, "v0");
    assert.equal(details.flagMetadata.kind, "RULE");
    assert.equal(details.flagMetadata.from, "rule:r1");
    assert.equal(typeof details.flagMetadata.version, "number");
    await close();
  },

  "returns the default for a flag that is off, with the reason disabled": async (program) => {
    const { flags, close } = await open(program, {});
    assert.equal(flags.getBooleanValue("off", true), true);
    assert.equal(flags.getBooleanValue("off", false), false);
    assert.equal(flags.getBooleanDetails("off", true).reason, "DISABLED");
    assert.equal(flags.getBooleanDetails("off", true).errorCode, undefined);
    await close();
  },

  "returns the default and an error code for an unknown or hidden flag and for another type":
    async (program) => {
      const { flags, close } = await open(program, {});
      for (const [key, code] of [
        ["nope", ErrorCode.FLAG_NOT_FOUND],
        ["hidden", ErrorCode.FLAG_NOT_FOUND],
        ["string", ErrorCode.TYPE_MISMATCH],
        ["by-key", ErrorCode.TARGETING_KEY_MISSING],
      ]) {
        const details = flags.getBooleanDetails(key, true);
        assert.equal(details.value, true, key);
        assert.equal(details.errorCode, code, key);
        assert.equal(details.reason, "ERROR", key);
      }
      await close();
    },

  "a wrong key never becomes ready": async (program) => {
    await assert.rejects(open(program, {}, { key: "nobody" }));
  },

  // Client bug: it discards its ETag only when the targeting key changes.
  "another attribute of the same person never gets the former values": async (program) => {
    for (const cacheMode of ["disabled", "network-first", "local-cache-first"]) {
      const person = { targetingKey: `same in ${cacheMode}` };
      const { flags, requests, to, close } = await open(
        program,
        { ...person, country: "UY" },
        { provider: { cacheMode } },
      );
      assert.equal(flags.getBooleanValue("in-uruguay", false), true, cacheMode);
      for (const [country, value] of [
        ["DE", false],
        ["UY", true],
        [undefined, false],
      ]) {
        await to({ ...person, country });
        const settled = () => flags.getBooleanValue("in-uruguay", !value) === value;
        await within(2000, `${country} in ${cacheMode}`, settled);
      }
      assert.ok(
        requests.every(({ status }) => status === 200),
        "an answer for another context is never 'not modified'",
      );
      await close();
    }
  },

  "transfers no flags after a change of an unused attribute": async (program) => {
    const { flags, requests, to, close } = await open(program, {
      targetingKey: "p",
      country: "UY",
    });
    await to({ targetingKey: "p", country: "UY", colour: "red" });
    assert.deepEqual(
      requests.map(({ status }) => status),
      [200, 304],
    );
    assert.equal(flags.getBooleanValue("in-uruguay", false), true);
    await close();
  },

  // Client bug: if changing the context fails, it keeps showing the previous person's flags. So no
  // attribute value may make an evaluation fail.
  "a switch of person never fails because of the attributes": async (program) => {
    const { flags, requests, to, close } = await open(program, {
      targetingKey: "first",
      country: "UY",
      userId: "u1",
      pro: true,
    });
    assert.equal(flags.getBooleanValue("for-pros", false), true);
    const odd = [
      { targetingKey: "second", country: 5, userId: { a: 1 }, pro: "yes" },
      { targetingKey: "", country: [], hours: "NaN" },
      { country: null, userId: true },
      { targetingKey: "x".repeat(30_000), constructor: { a: [[[]]] }, at: new Date(0) },
      {},
    ];
    for (const person of odd) {
      await to(person);
      assert.equal(requests.at(-1).status, 200, JSON.stringify(person).slice(0, 80));
      assert.equal(flags.getBooleanValue("for-pros", false), false);
      assert.equal(flags.getBooleanValue("in-uruguay", false), false);
      assert.equal(flags.getBooleanValue("by-user", false), false);
      await to({ targetingKey: "first", country: "UY", userId: "u1", pro: true });
      assert.equal(flags.getBooleanValue("by-user", false), true);
    }
    await close();
  },

  "receives, fetches and returns a change": async (program) => {
    const { flags, requests, close } = await open(program, { targetingKey: "listener" });
    let events = [];
    flags.addHandler(ProviderEvents.ConfigurationChanged, (event) => {
      events = events.concat(event.flagsChanged);
    });
    await within(2000, "the stream is open", () =>
      streamsOf(program).some((source) => source.readyState === 1),
    );
    assert.equal(flags.getNumberValue("integer", 0), 42);
    program.import(changed("integer", { defaultVariation: "v0" }));
    await within(2000, "the new value", () => flags.getNumberValue("integer", 0) === 1);
    assert.ok(events.includes("integer"));
    assert.match(requests.at(-1).url, /flagConfigEtag=\d+/);
    program.import(configuration);
    await within(2000, "the old value again", () => flags.getNumberValue("integer", 0) === 42);
    await close();
  },

  "keeps one stream open when the context changes": async (program) => {
    const { to, close } = await open(program, { targetingKey: "a", country: "UY" });
    await within(2000, "the stream is open", () => streamsOf(program).length === 1);
    const [first] = streamsOf(program);
    await to({ targetingKey: "b", country: "DE" });
    await to({ targetingKey: "c", country: "UY" });
    assert.deepEqual(streamsOf(program), [first]);
    await close();
  },

  "reopens a lost stream at the same address, and misses no change": async (program) => {
    const { flags, close } = await open(program, { targetingKey: "again" });
    await within(2000, "the stream is open", () => streamsOf(program)[0]?.readyState === 1);
    program.import(changed("string", { defaultVariation: "v0" }));
    await within(2000, "the new value", () => flags.getStringValue("string", "") === "no");
    const [source] = streamsOf(program);
    // Simulates a phone that loses its network. Changes meanwhile are reported on reconnect.
    source.retryMs = 1000;
    source.abort.abort();
    await within(2000, "the stream is lost", () => source.readyState === 0);
    program.import(configuration);
    await within(4000, "the old value again", () => flags.getStringValue("string", "") !== "no");
    await close();
  },

  "reopens a stream with an expired link through the link of the next answer": async (program) => {
    const { flags, close } = await open(program, { targetingKey: "tomorrow" });
    const isOpen = (source) => source.readyState === 1;
    await within(4000, "the stream is open", () => streamsOf(program).some(isOpen));
    const former = streamsOf(program).map(({ url }) => url);
    await program.restart({ MUSETTE_CLOCK_OFFSET: "90000" });
    await within(20_000, "the stream is open with another link", () =>
      streamsOf(program).some((source) => isOpen(source) && !former.includes(source.url)),
    );
    program.import(changed("integer", { defaultVariation: "v0" }));
    await within(4000, "the new value", () => flags.getNumberValue("integer", 0) === 1);
    program.import(configuration);
    await close();
    await program.restart({});
  },

  "returns stored values at once, then replaces them": async (program) => {
    const person = { targetingKey: "returning", country: "UY" };
    const first = await open(program, person, { provider: { cacheMode: "local-cache-first" } });
    await first.close();
    program.import(changed("integer", { defaultVariation: "v0" }));
    const second = await open(program, person, { provider: { cacheMode: "local-cache-first" } });
    await within(2000, "the new value", () => second.flags.getNumberValue("integer", 0) === 1);
    await second.close();
    program.import(configuration);
  },

  "a revoked key stops answers and streams": async (program) => {
    const id = JSON.parse(
      program.run("key", "create", "--env", "production", "--kind", "client", "--json"),
    );
    const { requests, to, close } = await open(program, { country: "UY" }, { key: id.key });
    program.revoke(id.id);
    await to({ country: "DE" });
    assert.equal(requests.at(-1).status, 401);
    await close();
  },
};
