import { expect, it } from "vitest";
import { always, experiment, own } from "./fixture/service";
import { createWorld, outcome, value } from "./fixture/world";
import { createFlagClient } from "./index";

const NO_USER = "Can't request flags until you set a user context";
const NO_FLAGS = "Can't request flags until you set a list of flags";
const ONLY_V3 =
  "This functionality is only available on v3 API. Please change your apiVersion value in the initialization of the flag client";

function world() {
  const made = createWorld();
  made.service.flags.set("on", always(true)).set("own", own).set("test", experiment("check-in"));
  return made;
}

it.each([
  ["getFlag", (client: ReturnType<typeof createFlagClient>) => client.getFlag("on", false)],
  ["getFlags", (client: ReturnType<typeof createFlagClient>) => client.getFlags(["on"])],
  ["getAllFlags", (client: ReturnType<typeof createFlagClient>) => client.getAllFlags()],
  ["getFlagKeys", (client: ReturnType<typeof createFlagClient>) => client.getFlagKeys()],
])("%s rejects before there is a user, and after the user was cleared", async (_, ask) => {
  const made = world();
  const { client } = made.tab({ subscribe: ["on"] });
  await expect(ask(client)).rejects.toThrow(NO_USER);
  await value(made, client.setUser({ userId: "r1" }));
  await value(made, client.clearUser());
  await expect(ask(client)).rejects.toThrow(NO_USER);
});

it("several flags need a list", async () => {
  const made = world();
  const { client } = made.tab();
  void client.setUser({ userId: "r1" });
  await expect(client.getFlags([])).rejects.toThrow(NO_FLAGS);
  // @ts-expect-error: a host without types
  await expect(client.getFlags()).rejects.toThrow(NO_FLAGS);
});

it.each(["v1", "v2", "v4", "", "latest"])(
  "all flags need v3, and %j has them not",
  async (apiVersion) => {
    const made = world();
    const { client } = made.tab({ apiVersion });
    void client.setUser({ userId: "r1" });
    await expect(client.getAllFlags()).rejects.toThrow(ONLY_V3);
    expect(made.service.calls).toEqual([]);
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
])("version %j is asked as %s", async (apiVersion, path) => {
  const made = world();
  const { client } = made.tab(apiVersion === undefined ? {} : { apiVersion });
  void client.setUser({ userId: "r1" });
  await value(made, client.getFlag("on", false));
  expect(made.service.calls[0]?.path).toBe(`${path}/features/on`);
});

it.each(["v1", "v2", "v3"])(
  "%s: every field of a result is there, whatever the version says",
  async (apiVersion) => {
    const made = world();
    const { client } = made.tab({ apiVersion });
    void client.setUser({ userId: "r1" });
    const many = await value(made, client.getFlags(["test", "on", "none"], { none: "mine" }));
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
    expect(made.service.calls[0]?.body).toEqual({
      userId: "r1",
      featureList: ["test", "on", "none"],
    });
    const one = await value(made, client.getFlag("none", "mine"));
    expect(one).toMatchObject({
      variation: "mine",
      explanation: { kind: "ERROR", from: "error:FLAG_NOT_FOUND" },
    });
  },
);

it("a null variation gives the fallback, and keeps its kind", async () => {
  const made = world();
  made.service.flags.set("off", () => ({
    variation: null,
    explanation: { kind: "OFF", from: "flag" },
  }));
  const { client } = made.tab({ subscribe: ["off"] });
  void client.setUser({ userId: "r1" });
  const result = await value(made, client.getFlag("off", 7));
  expect(result).toMatchObject({ variation: 7, explanation: { kind: "OFF", from: "flag" } });
  expect(client.peek("off")).toMatchObject({ status: "fallback", result: { variation: null } });
});

it("all flags, and what is cached when nobody answers", async () => {
  const made = world();
  const { client } = made.tab({ subscribe: ["own"] });
  void client.setUser({ userId: "r1" });
  const all = await value(made, client.getAllFlags());
  expect(Object.keys(all).sort()).toEqual(["on", "own", "test"]);
  made.service.down = 503;
  expect(await value(made, client.getAllFlags())).toMatchObject({ own: { variation: "of r1" } });
  const stranger = made.tab({ token: "another" });
  void stranger.client.setUser({ userId: "r1" });
  expect(await value(made, stranger.client.getAllFlags())).toEqual({});
});

it.each(["v1", "v2", "v3"])(
  "%s: the keys, and those of the last time when nobody answers",
  async (apiVersion) => {
    const made = world();
    const { client } = made.tab({ apiVersion });
    void client.setUser({ userId: "r1" });
    made.service.faults.push("hang");
    const hanging = await outcome(made, client.getFlagKeys());
    expect(hanging).toMatchObject({ value: [], atMs: 3_000 });
    expect(await value(made, client.getFlagKeys())).toEqual(["on", "own", "test"]);
    expect(made.service.calls[0]).toMatchObject({
      method: "GET",
      path: `${apiVersion}/features-list/keys`,
    });
    expect([...made.disk.keys()].some((key) => key.includes("fwf-keys-db"))).toBe(true);
    made.service.down = "network";
    expect(await value(made, client.getFlagKeys())).toEqual(["on", "own", "test"]);
    const reloaded = made.tab({ apiVersion });
    void reloaded.client.setUser({ userId: "r1" });
    expect(await value(made, reloaded.client.getFlagKeys())).toEqual(["on", "own", "test"]);
  },
);

it("a flag's key may be any text", async () => {
  const made = world();
  made.service.flags.set("a/b?c", always(1)).set("flags", always(2)).set("version", always(3));
  for (const apiVersion of ["v1", "v2", "v3"]) {
    const { client } = made.tab({ apiVersion });
    void client.setUser({ userId: "r1" });
    const many = await value(made, client.getFlags(["a/b?c", "flags", "version"]));
    expect(Object.values(many).map(({ variation }) => variation)).toEqual([1, 2, 3]);
  }
  const { client } = made.tab();
  void client.setUser({ userId: "r1" });
  void client.getFlag("a/b?c", 0);
  await made.clock.advance(10);
  expect(made.service.calls.at(-1)?.path).toBe("v3/features/a%2Fb%3Fc");
});

it("the base address: as given, by region, or the page's own", async () => {
  const urls: string[] = [];
  const options = {
    token: "t",
    cache: "memory",
    stream: false,
    fetch: async (input: RequestInfo | URL) => {
      urls.push(String(input));
      throw new TypeError("nobody there");
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
  expect(() => createFlagClient({ ...options, region: "me", regions })).toThrow("me");
});

it("without debug no trace is asked for", async () => {
  const made = world();
  const { client } = made.tab();
  void client.setUser({ userId: "r1" });
  await value(made, client.getFlag("on", false));
  expect(made.service.calls[0]?.headers).not.toHaveProperty("X-Musette-Debug");
});
