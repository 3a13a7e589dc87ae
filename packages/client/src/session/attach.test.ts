import { describe, expect, it } from "vitest";
import { API, expiredWorld, outcome, REFRESH, signedIn, type World } from "./testing/world";

interface Config {
  url?: string;
  baseURL?: string;
  method?: string;
  data?: unknown;
  headers: Headers;
}
type Failure = Error & { config: Config; response?: unknown };

/**
 * A stand-in for axios 1.x, which is no dependency of ours: interceptors in axios's order, a
 * configuration that is copied for each request, and an error with `config` and `response`.
 */
function standIn(world: World) {
  const before: ((config: Config) => Config | Promise<Config>)[] = [];
  const after: ((error: unknown) => unknown)[] = [];
  const eject = () => {};
  const instance = {
    interceptors: {
      request: {
        use: (run?: ((config: Config) => Promise<Config>) | null) =>
          run ? before.unshift(run) : 0,
        eject: () => before.splice(0),
      },
      response: {
        use: (_: unknown, run?: ((error: unknown) => unknown) | null) =>
          run ? after.push(run) : 0,
        eject,
      },
    },
    async request(given: Partial<Config>): Promise<unknown> {
      let config = { ...given, headers: new Headers(given.headers) } as Config;
      async function send() {
        for (const run of before) config = await run(config);
        const response = await world.fetch(`${config.baseURL ?? ""}${config.url}`, {
          method: config.method ?? "get",
          headers: config.headers,
          body: config.data as string,
        });
        const { status } = response;
        if (response.ok) return { status, config };
        const message = `Request failed with status code ${status}`;
        const headers = { date: response.headers.get("date") ?? "" };
        throw Object.assign(new Error(message), { config, response: { status, headers } });
      }
      let answer: Promise<unknown> = send();
      for (const run of after) answer = answer.catch(run);
      return answer;
    },
  };
  return instance;
}

function attached(world: World, options = {}) {
  const tab = world.tab(options);
  const axios = standIn(world);
  const detach = tab.session.attach(axios);
  return { tab, axios, detach };
}

describe("an attached axios instance", () => {
  it("sends the token, and replays once after one refresh", async () => {
    const world = expiredWorld();
    const { axios, tab } = attached(world);
    const request = axios.request({ url: API, method: "post", data: "{}" });
    expect((await outcome(world, request)).value).toMatchObject({ status: 200 });
    expect(world.service.calls.map(({ url }) => url)).toEqual([API, REFRESH, API]);
    expect(world.service.calls[2]?.init).toMatchObject({ method: "post", body: "{}" });
    expect(tab.logouts).toEqual([]);
  });

  it("refreshes once for 100 requests at once", async () => {
    const world = expiredWorld();
    const { axios } = attached(world);
    const requests = Array.from({ length: 100 }, () => axios.request({ url: API }));
    expect((await outcome(world, Promise.all(requests))).value).toHaveLength(100);
    expect(world.service.refreshes()).toHaveLength(1);
  });

  it("rejects with axios's own error, which gets a cause", async () => {
    const world = expiredWorld();
    world.service.status = () => 401;
    const { axios, tab } = attached(world);
    const { error } = await outcome(world, axios.request({ url: API }));
    expect(error).toMatchObject({
      message: "Request failed with status code 401",
      response: { status: 401 },
      cause: { reason: "retried" },
    });
    expect(world.service.calls).toHaveLength(3);
    const request = { method: "GET", url: `https://app.example${API}` };
    expect(tab.logouts).toEqual([{ reason: "retried", final: true, status: 401, request }]);
  });

  it("cannot deadlock by sending the refresh itself", async () => {
    const world = expiredWorld();
    world.service.delayMs = 100;
    world.service.faults.push("hang");
    const { axios, tab } = attached(world);
    tab.session.fetch(API).catch(() => {});
    await world.clock.advance(150);
    const own = axios.request({ url: REFRESH, method: "post", data: '{"refresh_token":"s2.0"}' });
    expect((await outcome(world, own, 200)).value).toMatchObject({ status: 200 });
  });

  it("keeps the token from other origins, whatever the base address", async () => {
    const world = signedIn();
    const { axios } = attached(world);
    const calls = [
      { baseURL: "https://elsewhere.example/", url: "x" },
      { url: "https://elsewhere.example/x" },
      { baseURL: "https://app.example", url: "/x" },
    ];
    for (const each of calls) await outcome(world, axios.request(each), 100);
    const sent = world.service.calls.map(({ init }) =>
      new Headers(init.headers).has("authorization"),
    );
    expect(sent).toEqual([false, false, true]);
  });

  it("counts a configuration that is sent again later as a new request", async () => {
    const world = expiredWorld();
    const { status } = world.service;
    world.service.status = (call) => (status(call) === 200 ? 503 : 401);
    const { axios, tab } = attached(world);
    const { error } = await outcome(world, axios.request({ url: API }));
    expect(error).toMatchObject({ response: { status: 503 } });
    await world.clock.advance(1_000_000);
    world.service.status = status;
    const again = await outcome(world, axios.request((error as Failure).config));
    expect(again.value).toMatchObject({ status: 200 });
    expect(tab.logouts).toEqual([]);
  });

  it("is as before once detached", async () => {
    const world = signedIn();
    const { axios, detach } = attached(world);
    detach();
    await outcome(world, axios.request({ url: API }), 100);
    expect(new Headers(world.service.calls[0]?.init.headers).has("authorization")).toBe(false);
  });
});
