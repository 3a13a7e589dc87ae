import { describe, expect, it } from "vitest";
import { isStream } from "./fetch";
import { API, expiredWorld, outcome, signedIn } from "./testing/world";

const stream = () => new Blob(["shift report"]).stream();

describe("a replay", () => {
  const form = new FormData();
  form.set("photo", new Blob(["…"]), "photo.jpg");
  it.each<[string, BodyInit]>([
    ["a string", '{"accepted":true}'],
    ["URLSearchParams", new URLSearchParams({ a: "1" })],
    ["a Blob", new Blob(["x"])],
    ["FormData", form],
    ["a buffer", new Uint8Array([1, 2, 3])],
  ])("keeps method, headers and body: %s", async (_, body) => {
    const world = expiredWorld();
    const headers = { "Idempotency-Key": "k1", "Content-Type": "text/x" };
    const init = { method: "POST", headers, body };
    const { value } = await outcome(world, world.tab().session.fetch(API, init));
    expect(value?.ok).toBe(true);
    const calls = world.service.calls.filter(({ url }) => url === API);
    expect(calls).toHaveLength(2);
    for (const call of calls) {
      expect(call.init.method).toBe("POST");
      expect(call.init.body).toBe(body);
      expect(new Headers(call.init.headers).get("idempotency-key")).toBe("k1");
      expect(new Headers(call.init.headers).get("content-type")).toBe("text/x");
    }
    expect(init).toEqual({ method: "POST", headers, body });
  });

  it("sends a clone of a Request each time, with the headers of the Request", async () => {
    const world = expiredWorld();
    const bodies: string[] = [];
    const { fetch } = world;
    const tab = world.tab({
      fetch: async (input, init) => {
        if (input instanceof Request) bodies.push(`${input.method} ${await input.text()}`);
        return fetch(input, init);
      },
    });
    const request = new Request("https://app.example/api/x", {
      method: "PUT",
      headers: { "X-Own": "1" },
      body: "kept",
    });
    const { value } = await outcome(world, tab.session.fetch(request));
    expect(value?.ok).toBe(true);
    expect(bodies).toEqual(["PUT kept", "PUT kept"]);
    expect(request.bodyUsed).toBe(false);
    expect(new Headers(world.service.calls[2]?.init.headers).get("x-own")).toBe("1");
  });
});

describe("a stream", () => {
  it("is distinguished from bodies that can be sent again", () => {
    expect(isStream(stream())).toBe(true);
    expect(isStream((async function* () {})())).toBe(true);
    for (const body of [
      "x",
      new FormData(),
      new URLSearchParams(),
      new Blob([]),
      null,
      undefined,
    ]) {
      expect(isStream(body)).toBe(false);
    }
    expect(isStream(new Uint8Array(1))).toBe(false);
  });

  const upload = () => ({ method: "POST", body: stream(), duplex: "half" }) as RequestInit;

  it.each([29, -1])("waits for a refresh if the token expires in %i s", async (ttlS) => {
    const world = signedIn(ttlS);
    const { value } = await outcome(world, world.tab().session.fetch(API, upload()));
    expect(value?.ok).toBe(true);
    expect(world.service.calls.map(({ url }) => url.endsWith("/refresh"))).toEqual([true, false]);
  });

  it("does not wait if the token is valid for longer", async () => {
    const world = signedIn(31);
    await outcome(world, world.tab().session.fetch(API, upload()), 100);
    expect(world.service.refreshes()).toHaveLength(0);
  });

  it("is never sent twice; the error says why, and the next request has a valid token", async () => {
    const world = signedIn(31);
    world.service.delayMs = 40_000;
    const tab = world.tab();
    const request = tab.session.fetch(API, upload());
    request.catch(() => {});
    await world.clock.advance(1);
    world.service.delayMs = 5;
    const { error } = await outcome(world, request);
    expect(error).toMatchObject({ status: 401 });
    expect((error as Error).cause).toMatchObject({ message: expect.stringContaining("stream") });
    expect(world.service.calls.filter(({ url }) => url === API)).toHaveLength(1);
    expect(tab.logouts).toEqual([]);
    expect((await outcome(world, tab.session.fetch(API), 100)).value?.ok).toBe(true);
  });
});
