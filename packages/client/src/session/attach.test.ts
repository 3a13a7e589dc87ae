import { AxiosError, type AxiosResponse, create, type InternalAxiosRequestConfig } from "axios";
import { describe, expect, it } from "vitest";
import { API, expiredWorld, outcome, REFRESH, signedIn, type World } from "./testing/world";

/** Creates a real axios instance on the network of the test. */
function createAxios(world: World) {
  async function adapter(config: InternalAxiosRequestConfig): Promise<AxiosResponse> {
    const { baseURL = "", url = "", method = "get", data } = config;
    const headers = new Headers(config.headers.toJSON() as Record<string, string>);
    const init = { method, headers, body: data as string };
    const { status, headers: responseHeaders } = await world.fetch(`${baseURL}${url}`, init);
    const date = responseHeaders.get("date") ?? "";
    const answer = { status, statusText: "", data: {}, headers: { date }, config };
    if (status < 300) return answer;
    const message = `Request failed with status code ${status}`;
    throw new AxiosError(message, "ERR_BAD_REQUEST", config, undefined, answer);
  }
  return create({ adapter });
}

function attachAxios(world: World, options = {}) {
  const tab = world.tab(options);
  const axios = createAxios(world);
  const detach = tab.session.attach(axios);
  return { tab, axios, detach };
}

describe("an attached axios instance", () => {
  it("sends the token and replays a request once after one refresh", async () => {
    const world = expiredWorld();
    const { axios, tab } = attachAxios(world);
    const request = axios.request({ url: API, method: "post", data: "{}" });
    expect((await outcome(world, request)).value).toMatchObject({ status: 200 });
    expect(world.service.calls.map(({ url }) => url)).toEqual([API, REFRESH, API]);
    expect(world.service.calls[2]?.init).toMatchObject({ method: "post", body: "{}" });
    expect(tab.logouts).toEqual([]);
  });

  it("refreshes once for 100 requests at once", async () => {
    const world = expiredWorld();
    const { axios } = attachAxios(world);
    const requests = Array.from({ length: 100 }, () => axios.request({ url: API }));
    expect((await outcome(world, Promise.all(requests))).value).toHaveLength(100);
    expect(world.service.refreshes()).toHaveLength(1);
  });

  it("rejects with the error of axios and adds a cause", async () => {
    const world = expiredWorld();
    world.service.status = () => 401;
    const { axios, tab } = attachAxios(world);
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

  it("does not deadlock when the host sends a refresh itself", async () => {
    const world = expiredWorld();
    world.service.delayMs = 100;
    world.service.failures.push("hang");
    const { axios, tab } = attachAxios(world);
    tab.session.fetch(API).catch(() => {});
    await world.clock.advance(150);
    const refresh = axios.request({
      url: REFRESH,
      method: "post",
      data: '{"refresh_token":"s2.0"}',
    });
    expect((await outcome(world, refresh, 200)).value).toMatchObject({ status: 200 });
  });

  it("does not send the token to other origins, with or without a base address", async () => {
    const world = signedIn();
    const { axios } = attachAxios(world);
    const calls = [
      { baseURL: "https://elsewhere.example/", url: "x" },
      { url: "https://elsewhere.example/x" },
      { baseURL: "https://app.example", url: "/x" },
    ];
    for (const each of calls) await outcome(world, axios.request(each), 100);
    const hasToken = world.service.calls.map(({ init }) =>
      new Headers(init.headers).has("authorization"),
    );
    expect(hasToken).toEqual([false, false, true]);
  });

  it("treats a configuration that is sent again later as a new request", async () => {
    const world = expiredWorld();
    const { status } = world.service;
    world.service.status = (call) => (status(call) === 200 ? 503 : 401);
    const { axios, tab } = attachAxios(world);
    const { error } = await outcome(world, axios.request({ url: API }));
    expect(error).toMatchObject({ response: { status: 503 } });
    await world.clock.advance(1_000_000);
    world.service.status = status;
    const later = await outcome(world, axios.request((error as AxiosError).config ?? {}));
    expect(later.value).toMatchObject({ status: 200 });
    expect(tab.logouts).toEqual([]);
  });

  it("sends no token after it is detached", async () => {
    const world = signedIn();
    const { axios, detach } = attachAxios(world);
    detach();
    await outcome(world, axios.request({ url: API }), 100);
    expect(new Headers(world.service.calls[0]?.init.headers).has("authorization")).toBe(false);
  });
});
