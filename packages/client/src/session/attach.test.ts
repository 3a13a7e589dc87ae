import { AxiosError, type AxiosResponse, create, type InternalAxiosRequestConfig } from "axios";
import { describe, expect, it } from "vitest";
import { API, expiredWorld, outcome, REFRESH, signedIn, type World } from "./testing/world";

/** axios itself, on the network of the test. */
function onNetworkOf(world: World) {
  async function adapter(config: InternalAxiosRequestConfig): Promise<AxiosResponse> {
    const { baseURL = "", url = "", method = "get", data } = config;
    const headers = new Headers(config.headers.toJSON() as Record<string, string>);
    const init = { method, headers, body: data as string };
    const { status, headers: got } = await world.fetch(`${baseURL}${url}`, init);
    const date = got.get("date") ?? "";
    const answer = { status, statusText: "", data: {}, headers: { date }, config };
    if (status < 300) return answer;
    const message = `Request failed with status code ${status}`;
    throw new AxiosError(message, "ERR_BAD_REQUEST", config, undefined, answer);
  }
  return create({ adapter });
}

function attached(world: World, options = {}) {
  const tab = world.tab(options);
  const axios = onNetworkOf(world);
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
    const again = await outcome(world, axios.request((error as AxiosError).config ?? {}));
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
