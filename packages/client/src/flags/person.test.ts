import { expect, it } from "vitest";
import { byCountry, perUser } from "./fixture/service";
import { createWorld, outcome, value } from "./fixture/world";

function setUpWorld() {
  const world = createWorld();
  world.service.flags.set("own", perUser).set("country", byCountry);
  return world;
}

it("after a change of user, a request in flight returns the fallback instead of the former user's value", async () => {
  const world = setUpWorld();
  world.service.delayMs = 1_000;
  const { client } = world.tab({ subscribe: ["own"] });
  void client.setUser({ userId: "r1" });
  const former = client.getFlag("own", "mine");
  await world.clock.advance(500);
  void client.setUser({ userId: "r2" });
  const present = client.getFlag("own", "mine");
  expect(await value(world, former)).toMatchObject({
    variation: "mine",
    explanation: { kind: "FALLBACK", from: "client:aborted" },
  });
  expect((await value(world, present)).variation).toBe("of r2");
  expect(client.peek("own")?.result.variation).toBe("of r2");
});

it("does not use a response that arrives at the moment of a change of user", async () => {
  const world = setUpWorld();
  const { client } = world.tab({ subscribe: [], cache: "memory" });
  void client.setUser({ userId: "r1" });
  const former = client.getFlag("own", "mine");
  await world.clock.advance(4);
  // The user changes in the same task in which the response arrives.
  world.clock.after(1, () => queueMicrotask(() => void client.setUser({ userId: "r2" })));
  await world.clock.advance(1);
  expect((await value(world, former)).variation).not.toBe("of r2");
  expect((await value(world, client.getFlag("own", "mine"))).variation).toBe("of r2");
});

it.each(["network", 503, 401, "hang"] as const)(
  "removes the former user's values if the request after a change of user fails (%s)",
  async (failure) => {
    const world = setUpWorld();
    const { client } = world.tab({ subscribe: ["own"] });
    void client.setUser({ userId: "r1" });
    await value(world, client.getFlag("own", "mine"));
    world.service.down = failure;
    void client.setUser({ userId: "r2" });
    expect(client.peek("own")).toBeUndefined();
    const { value: result, atMs } = await outcome(world, client.getFlag("own", "mine"));
    expect(result).toMatchObject({ variation: "mine", explanation: { kind: "FALLBACK" } });
    expect(atMs).toBeLessThanOrEqual(3_000);
    expect(JSON.stringify([...world.disk.values()])).not.toContain("of r1");
    void client.setUser({ userId: "r1" });
    expect((await value(world, client.getFlag("own", "mine"))).variation).toBe("mine");
  },
);

it("returns fallbacks within 3 s for a new user without a service", async () => {
  const world = setUpWorld();
  world.service.down = "ignores-abort";
  const { client } = world.tab({ subscribe: ["own"] });
  const setUserOutcome = await outcome(world, client.setUser({ userId: "r9" }));
  expect(setUserOutcome.atMs).toBe(0);
  const ready = client.ready(["own"]);
  const { atMs } = await outcome(world, client.getFlags(["own", "country"], { own: "a" }));
  expect(atMs).toBeLessThanOrEqual(3_000);
  await value(world, ready);
  expect(client.peek("own")).toMatchObject({
    status: "fallback",
    result: { variation: null, explanation: { kind: "FALLBACK", from: "client:timeout" } },
  });
});

it.each([undefined, "never"] as const)(
  "fetches the new user's flags after a change of user during a refresh (lock %s)",
  async (lock) => {
    const world = setUpWorld();
    world.service.delayMs = 500;
    if (lock) world.broken.lock = lock;
    const { client } = world.tab({ subscribe: ["own"] });
    void client.setUser({ userId: "r1" });
    await world.clock.advance(300);
    world.broken = {};
    void client.setUser({ userId: "r2" });
    await world.clock.advance(600);
    expect(client.peek("own")?.result.variation).toBe("of r2");
  },
);

it("never returns another user's stored values and removes them", async () => {
  const world = setUpWorld();
  const first = world.tab({ subscribe: ["own"] });
  void first.client.setUser({ userId: "r1" });
  await value(world, first.client.getFlag("own", ""));
  first.kill();
  world.service.down = "network";
  const { client } = world.tab({ subscribe: ["own"] });
  void client.setUser({ userId: "r2" });
  expect((await value(world, client.getFlag("own", "mine"))).variation).toBe("mine");
  expect(JSON.stringify([...world.disk.values()])).not.toContain("of r1");
});

it("after a change of an attribute, fetches only the flags that depend on it", async () => {
  const world = setUpWorld();
  const { client } = world.tab({ subscribe: ["own", "country"] });
  void client.setUser({ userId: "r1", country: "UY" });
  await value(world, client.getFlags(["own", "country"]));
  void client.setUser({ userId: "r1", country: "AR" });
  expect(client.peek("own")?.result.variation).toBe("of r1");
  expect(client.peek("country")).toBeUndefined();
  expect((await value(world, client.getFlag("country", ""))).variation).toBe("in AR");
});

it("returns the result for the new attribute if it changes while a request is in flight", async () => {
  const world = setUpWorld();
  world.service.delayMs = 1_000;
  const { client } = world.tab();
  void client.setUser({ userId: "r1", country: "UY" });
  const call = client.getFlag("country", "mine");
  await world.clock.advance(500);
  void client.setUser({ userId: "r1", country: "AR" });
  expect((await value(world, call)).variation).toBe("in AR");
});

it("settles a call although an attribute changes again and again", async () => {
  const world = setUpWorld();
  world.service.delayMs = 1_000;
  const { client } = world.tab();
  void client.setUser({ userId: "r1", step: 0 });
  const firstOutcome = outcome(world, client.getFlag("country", "mine"), 0).catch(() => undefined);
  const call = client.getFlag("country", "mine");
  for (let step = 1; step <= 10; step += 1) {
    await world.clock.advance(400);
    void client.setUser({ userId: "r1", step });
  }
  await firstOutcome;
  const { value: result } = await outcome(world, call, 0);
  expect(result).toMatchObject({ variation: "mine", explanation: { from: "client:timeout" } });
});

it("sends no request for setUser with the same user", async () => {
  const world = setUpWorld();
  const { client } = world.tab({ subscribe: ["own"] });
  void client.setUser({ userId: "r1" });
  await value(world, client.getFlag("own", ""));
  const calls = world.service.calls.length;
  void client.setUser({ userId: "r1" });
  await value(world, client.getFlag("own", ""));
  expect(world.service.calls.length).toBe(calls);
});

it("clearUser removes everything from memory and from the disk", async () => {
  const world = setUpWorld();
  const { client } = world.tab({ subscribe: ["own"] });
  void client.setUser({ userId: "r1" });
  await value(world, client.getFlag("own", ""));
  expect(world.disk.size).toBeGreaterThan(0);
  await value(world, client.clearUser());
  expect(client.peek("own")).toBeUndefined();
  expect(client.snapshot()).toMatchObject({ user: undefined, flags: [] });
  expect(world.disk.size).toBe(0);
});

it.each([
  ["unclearable", "There is an error clearing the user, error: the disk is broken"],
  ["never", "There is an error clearing the user, error: no answer"],
] as const)(
  "clearUser with a disk that is %s rejects, but removes the values from memory",
  async (disk, message) => {
    const world = setUpWorld();
    const { client } = world.tab({ subscribe: ["own"] });
    void client.setUser({ userId: "r1" });
    await value(world, client.getFlag("own", ""));
    world.broken.disk = disk;
    const { error } = await outcome(world, client.clearUser());
    expect((error as Error).message).toBe(message);
    expect(client.peek("own")).toBeUndefined();
  },
);

it("treats an applicant who becomes a rider as another user and sends both ids", async () => {
  const world = setUpWorld();
  const { client } = world.tab({ subscribe: ["own"] });
  void client.setUser({ anonymousId: "a1" });
  await value(world, client.getFlag("own", ""));
  void client.setUser({ anonymousId: "a1", userId: "r1" });
  expect(client.peek("own")).toBeUndefined();
  await value(world, client.getFlag("own", ""));
  expect(world.service.evaluations().at(-1)?.body).toMatchObject({
    anonymousId: "a1",
    userId: "r1",
  });
});

it("sends nothing after close, and a waiting call returns the fallback", async () => {
  const world = setUpWorld();
  world.service.down = "hang";
  const { client } = world.tab({ subscribe: ["own"] });
  void client.setUser({ userId: "r1" });
  const call = client.getFlag("own", "mine");
  await world.clock.advance(10);
  client.close();
  expect((await value(world, call)).variation).toBe("mine");
  const calls = world.service.calls.length;
  await world.clock.advance(3_600_000);
  expect(world.service.calls.length).toBe(calls);
});
