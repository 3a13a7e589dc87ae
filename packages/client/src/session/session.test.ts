import { describe, expect, it } from "vitest";
import { HttpError } from "../http";
import { START_MS, settle } from "./testing/clock";
import { token } from "./testing/service";
import { createWorld, REFRESH, type World } from "./testing/world";

const API = "/api/rooster/v3/terms";

function expired(): World {
  const world = createWorld();
  world.signIn(-1);
  return world;
}

/** The outcome of a request, once virtual time has gone far enough. */
async function outcome<T>(world: World, request: Promise<T>, forMs = 60_000) {
  const result = request.then(
    (value) => ({ value, error: undefined }),
    (error) => ({ value: undefined, error }),
  );
  await world.clock.advance(forMs);
  return Promise.race([result, settle().then(() => ({ value: undefined, error: "pending" }))]);
}

describe("a request with a good token", () => {
  it("goes out with it, and its answer is given as fetch gives it", async () => {
    const world = createWorld();
    world.signIn();
    const tab = world.tab();
    const { value } = await outcome(world, tab.session.fetch(API));
    expect(value?.status).toBe(200);
    const headers = new Headers(world.service.calls[0]?.init.headers);
    expect(headers.get("authorization")).toBe(`Bearer ${tab.session.getToken()}`);
    expect(world.service.refreshes()).toHaveLength(0);
  });
});

describe("an expired token", () => {
  it("is refreshed once, and the request is sent again with the new one", async () => {
    const world = expired();
    const tab = world.tab();
    const { value } = await outcome(world, tab.session.fetch(API));
    expect(value?.status).toBe(200);
    expect(world.service.calls.map(({ url }) => url)).toEqual([API, REFRESH, API]);
    expect(tab.logouts).toEqual([]);
    expect(world.jar.get("refresh_token")).toMatch(/\.1$/);
  });

  it("is refreshed once for 1,000 requests at once, each sent again once", async () => {
    const world = expired();
    const tab = world.tab();
    const requests = Array.from({ length: 1000 }, () => tab.session.fetch(API));
    const { value } = await outcome(world, Promise.all(requests));
    expect(value?.every((response) => response.ok)).toBe(true);
    expect(world.service.refreshes()).toHaveLength(1);
    expect(world.service.calls).toHaveLength(2001);
  });
});

it("keeps out of the way of what is neither 401 nor 403", async () => {
  const world = expired();
  world.service.status = () => 500;
  const tab = world.tab();
  const { error } = await outcome(world, tab.session.fetch(API));
  expect(error).toBeInstanceOf(HttpError);
  expect(world.clock.now()).toBe(START_MS + 60_000);
  expect(token({})).toContain(".");
});
