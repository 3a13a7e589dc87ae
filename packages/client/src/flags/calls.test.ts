import { expect, it } from "vitest";
import { always, experiment, perUser } from "./fixture/service";
import { createWorld, outcome, value } from "./fixture/world";
import { createFlagClient } from "./index";

const NO_USER = "Can't request flags until you set a user context";
const NO_FLAGS = "Can't request flags until you set a list of flags";
const ONLY_V3 =
  "This functionality is only available on v3 API. Please change your apiVersion value in the initialization of the flag client";

function setUpWorld() {
  const world = createWorld();
  world.service.flags
    .set("on", always(true))
    .set("own", perUser)
    .set("test", experiment("check-in"));
  return world;
}

it.each([
  ["getFlag", (client: ReturnType<typeof createFlagClient>) => client.getFlag("on", false)],
  ["getFlags", (client: ReturnType<typeof createFlagClient>) => client.getFlags(["on"])],
  ["getAllFlags", (client: ReturnType<typeof createFlagClient>) => client.getAllFlags()],
  ["getFlagKeys", (client: ReturnType<typeof createFlagClient>) => client.getFlagKeys()],
])("%s rejects before setUser and after clearUser", async (_, call) => {
  const world = setUpWorld();
  const { client } = world.tab({ subscribe: ["on"] });
  await expect(call(client)).rejects.toThrow(NO_USER);
  await value(world, client.setUser({ userId: "r1" }));
  await value(world, client.clearUser());
  await expect(call(client)).rejects.toThrow(NO_USER);
});

it("getFlags rejects without a list of keys", async () => {
  const world = setUpWorld();
  const { client } = world.tab();
  void client.setUser({ userId: "r1" });
  await expect(client.getFlags([])).rejects.toThrow(NO_FLAGS);
  // @ts-expect-error: a host without types
  await expect(client.getFlags()).rejects.toThrow(NO_FLAGS);
});

it.each(["v1", "v2", "v4", "", "latest"])(
  "getAllFlags rejects with version %j, because only v3 has all flags",
  async (apiVersion) => {
    const world = setUpWorld();
    const { client } = world.tab({ apiVersion });
    void client.setUser({ userId: "r1" });
    await expect(client.getAllFlags()).rejects.toThrow(ONLY_V3);
    expect(world.service.calls).toEqual([]);
  },
);

it.each([
  [undefined, "v3"],
  ["v1", "v1"],
  ["v2", "v2"],
  ["v3", "v3"],
  ["v4", "v2"],
  ["V3", "v2"],
  ["", "v2"],
])("sends requests for version %j to the path of %s", async (apiVersion, path) => {
  const world = setUpWorld();
  const { client } = world.tab(apiVersion === undefined ? {} : { apiVersion });
  void client.setUser({ userId: "r1" });
  await value(world, client.getFlag("on", false));
  expect(world.service.calls[0]?.path).toBe(`${path}/features/on`);
});

it.each(["v1", "v2", "v3"])(
  "%s: a result has every field, even those that the version does not send",
  async (apiVersion) => {
    const world = setUpWorld();
    const { client } = world.tab({ apiVersion });
    void client.setUser({ userId: "r1" });
    const many = await value(world, client.getFlags(["test", "on", "none"], { none: "mine" }));
    expect(many.test).toMatchObject({
      variation: "map",
      abTest: true,
      explanation: { kind: "AB_TEST", from: "experiment:check-in" },
      relevantContext: ["userId"],
      holdoutsEvaluations: [],
    });
    expect(many.on).toMatchObject({ variation: true, abTest: false });
    expect(many.none).toMatchObject({
      variation: "mine",
      explanation: { kind: "ERROR", from: "error:FLAG_NOT_FOUND" },
    });
    expect(world.service.calls[0]?.body).toEqual({
      userId: "r1",
      featureList: ["test", "on", "none"],
    });
    const one = await value(world, client.getFlag("none", "mine"));
    expect(one).toMatchObject({
      variation: "mine",
      explanation: { kind: "ERROR", from: "error:FLAG_NOT_FOUND" },
    });
  },
);

it("returns the fallback for a null variation and keeps its kind", async () => {
  const world = setUpWorld();
  world.service.flags.set("off", () => ({
    variation: null,
    explanation: { kind: "OFF", from: "flag" },
  }));
  const { client } = world.tab({ subscribe: ["off"] });
  void client.setUser({ userId: "r1" });
  const result = await value(world, client.getFlag("off", 7));
  expect(result).toMatchObject({ variation: 7, explanation: { kind: "OFF", from: "flag" } });
  expect(client.peek("off")).toMatchObject({ status: "fallback", result: { variation: null } });
});

it("returns all flags, and the cached flags if the service does not respond", async () => {
  const world = setUpWorld();
  const { client } = world.tab({ subscribe: ["own"] });
  void client.setUser({ userId: "r1" });
  const all = await value(world, client.getAllFlags());
  expect(Object.keys(all).sort()).toEqual(["on", "own", "test"]);
  world.service.down = 503;
  expect(await value(world, client.getAllFlags())).toMatchObject({
    own: { variation: "of r1" },
  });
  const otherToken = world.tab({ token: "another" });
  void otherToken.client.setUser({ userId: "r1" });
  expect(await value(world, otherToken.client.getAllFlags())).toEqual({});
});

it.each(["v1", "v2", "v3"])(
  "%s: returns the keys, and the last known keys if the service does not respond",
  async (apiVersion) => {
    const world = setUpWorld();
    const { client } = world.tab({ apiVersion });
    void client.setUser({ userId: "r1" });
    world.service.failures.push("hang");
    const timedOut = await outcome(world, client.getFlagKeys());
    expect(timedOut).toMatchObject({ value: [], atMs: 3_000 });
    expect(await value(world, client.getFlagKeys())).toEqual(["on", "own", "test"]);
    expect(world.service.calls[0]).toMatchObject({
      method: "GET",
      path: `${apiVersion}/features-list/keys`,
    });
    expect([...world.disk.keys()].some((key) => key.includes("fwf-keys-db"))).toBe(true);
    world.service.down = "network";
    expect(await value(world, client.getFlagKeys())).toEqual(["on", "own", "test"]);
    const reloaded = world.tab({ apiVersion });
    void reloaded.client.setUser({ userId: "r1" });
    expect(await value(world, reloaded.client.getFlagKeys())).toEqual(["on", "own", "test"]);
  },
);

it("accepts any text as the key of a flag", async () => {
  const world = setUpWorld();
  world.service.flags.set("a/b?c", always(1)).set("flags", always(2)).set("version", always(3));
  for (const apiVersion of ["v1", "v2", "v3"]) {
    const { client } = world.tab({ apiVersion });
    void client.setUser({ userId: "r1" });
    const many = await value(world, client.getFlags(["a/b?c", "flags", "version"]));
    expect(Object.values(many).map(({ variation }) => variation)).toEqual([1, 2, 3]);
  }
  const { client } = world.tab();
  void client.setUser({ userId: "r1" });
  void client.getFlag("a/b?c", 0);
  await world.clock.advance(10);
  expect(world.service.calls.at(-1)?.path).toBe("v3/features/a%2Fb%3Fc");
});

it("uses the base address from baseUrl, from the region, or of the page itself", async () => {
  const urls: string[] = [];
  const options = {
    token: "t",
    cache: "memory",
    stream: false,
    fetch: async (input: RequestInfo | URL) => {
      urls.push(String(input));
      throw new TypeError("no connection");
    },
  } as const;
  const regions = { eu: "https://eu.example/api/flags/", us: "https://us.example/api/flags" };
  const clients = [
    createFlagClient({ ...options, region: "eu", regions }),
    createFlagClient({ ...options, region: "us", regions }),
    createFlagClient({
      ...options,
      region: "us",
      regions,
      baseUrl: "http://127.0.0.1:8080/api/flags",
    }),
    createFlagClient(options),
  ];
  for (const client of clients) {
    void client.setUser({ userId: "r1" });
    await client.getFlag("on", false);
    client.close();
  }
  expect(urls).toEqual([
    "https://eu.example/api/flags/v3/features/on",
    "https://us.example/api/flags/v3/features/on",
    "http://127.0.0.1:8080/api/flags/v3/features/on",
    "/api/flags/v3/features/on",
  ]);
  expect(() => createFlagClient({ ...options, region: "me", regions })).toThrow(
    'no address for the region "me"',
  );
});

it("requests no trace without the option debug", async () => {
  const world = setUpWorld();
  const { client } = world.tab();
  void client.setUser({ userId: "r1" });
  await value(world, client.getFlag("on", false));
  expect(world.service.calls[0]?.headers).not.toHaveProperty("X-Musette-Debug");
});
