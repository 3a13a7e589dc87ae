import { expect, it } from "vitest";
import { byCountry, own } from "./fixture/service";
import { createWorld, outcome, value } from "./fixture/world";

function world() {
  const made = createWorld();
  made.service.flags.set("own", own).set("country", byCountry);
  return made;
}

it("a switch while a request is in flight: nobody gets the former one's value", async () => {
  const made = world();
  made.service.delayMs = 1_000;
  const { client } = made.tab({ subscribe: ["own"] });
  void client.setUser({ userId: "r1" });
  const former = client.getFlag("own", "mine");
  await made.clock.advance(500);
  void client.setUser({ userId: "r2" });
  const present = client.getFlag("own", "mine");
  expect(await value(made, former)).toMatchObject({
    variation: "mine",
    explanation: { kind: "FALLBACK", from: "client:aborted" },
  });
  expect((await value(made, present)).variation).toBe("of r2");
  expect(client.peek("own")?.result.variation).toBe("of r2");
});

it("an answer that is there, but not yet taken, is nobody's after a switch", async () => {
  const made = world();
  const { client } = made.tab({ subscribe: [], cache: "memory" });
  void client.setUser({ userId: "r1" });
  const former = client.getFlag("own", "mine");
  await made.clock.advance(4);
  // In the very turn in which the answer comes.
  made.clock.after(1, () => queueMicrotask(() => void client.setUser({ userId: "r2" })));
  await made.clock.advance(1);
  expect((await value(made, former)).variation).not.toBe("of r2");
  expect((await value(made, client.getFlag("own", "mine"))).variation).toBe("of r2");
});

it.each(["network", 503, 401, "hang"] as const)(
  "a failed switch (%s): the former person's values are gone",
  async (fault) => {
    const made = world();
    const { client } = made.tab({ subscribe: ["own"] });
    void client.setUser({ userId: "r1" });
    await value(made, client.getFlag("own", "mine"));
    made.service.down = fault;
    void client.setUser({ userId: "r2" });
    expect(client.peek("own")).toBeUndefined();
    const { value: result, atMs } = await outcome(made, client.getFlag("own", "mine"));
    expect(result).toMatchObject({ variation: "mine", explanation: { kind: "FALLBACK" } });
    expect(atMs).toBeLessThanOrEqual(3_000);
    expect(JSON.stringify([...made.disk.values()])).not.toContain("of r1");
    void client.setUser({ userId: "r1" });
    expect((await value(made, client.getFlag("own", "mine"))).variation).toBe("mine");
  },
);

it("a person never seen, no service, cold start: fallbacks within 3 s", async () => {
  const made = world();
  made.service.down = "deaf";
  const { client } = made.tab({ subscribe: ["own"] });
  const waited = await outcome(made, client.setUser({ userId: "r9" }));
  expect(waited.atMs).toBe(0);
  const ready = client.ready(["own"]);
  const { atMs } = await outcome(made, client.getFlags(["own", "country"], { own: "a" }));
  expect(atMs).toBeLessThanOrEqual(3_000);
  await value(made, ready);
  expect(client.peek("own")).toMatchObject({
    status: "fallback",
    result: { variation: null, explanation: { kind: "FALLBACK", from: "client:timeout" } },
  });
});

it.each([undefined, "never"] as const)(
  "a switch while all is being fetched (lock %s): the new person's values come by themselves",
  async (lock) => {
    const made = world();
    made.service.delayMs = 500;
    if (lock) made.broken.lock = lock;
    const { client } = made.tab({ subscribe: ["own"] });
    void client.setUser({ userId: "r1" });
    await made.clock.advance(300);
    made.broken = {};
    void client.setUser({ userId: "r2" });
    await made.clock.advance(600);
    expect(client.peek("own")?.result.variation).toBe("of r2");
  },
);

it("what is another person's on the disk is never shown, and goes", async () => {
  const made = world();
  const first = made.tab({ subscribe: ["own"] });
  void first.client.setUser({ userId: "r1" });
  await value(made, first.client.getFlag("own", ""));
  first.kill();
  made.service.down = "network";
  const { client } = made.tab({ subscribe: ["own"] });
  void client.setUser({ userId: "r2" });
  expect((await value(made, client.getFlag("own", "mine"))).variation).toBe("mine");
  expect(JSON.stringify([...made.disk.values()])).not.toContain("of r1");
});

it("the same person elsewhere: only what depends on it is asked for again", async () => {
  const made = world();
  const { client } = made.tab({ subscribe: ["own", "country"] });
  void client.setUser({ userId: "r1", country: "UY" });
  await value(made, client.getFlags(["own", "country"]));
  void client.setUser({ userId: "r1", country: "AR" });
  expect(client.peek("own")?.result.variation).toBe("of r1");
  expect(client.peek("country")).toBeUndefined();
  expect((await value(made, client.getFlag("country", ""))).variation).toBe("in AR");
});

it("an attribute changes while a request is in flight: the caller gets the answer for the new one", async () => {
  const made = world();
  made.service.delayMs = 1_000;
  const { client } = made.tab();
  void client.setUser({ userId: "r1", country: "UY" });
  const asked = client.getFlag("country", "mine");
  await made.clock.advance(500);
  void client.setUser({ userId: "r1", country: "AR" });
  expect((await value(made, asked)).variation).toBe("in AR");
});

it("an attribute that changes for ever does not make a call hang", async () => {
  const made = world();
  made.service.delayMs = 1_000;
  const { client } = made.tab();
  void client.setUser({ userId: "r1", step: 0 });
  const asked = outcome(made, client.getFlag("country", "mine"), 0).catch(() => undefined);
  const call = client.getFlag("country", "mine");
  for (let step = 1; step <= 10; step += 1) {
    await made.clock.advance(400);
    void client.setUser({ userId: "r1", step });
  }
  await asked;
  const { value: result } = await outcome(made, call, 0);
  expect(result).toMatchObject({ variation: "mine", explanation: { from: "client:timeout" } });
});

it("the same user again asks nothing", async () => {
  const made = world();
  const { client } = made.tab({ subscribe: ["own"] });
  void client.setUser({ userId: "r1" });
  await value(made, client.getFlag("own", ""));
  const calls = made.service.calls.length;
  void client.setUser({ userId: "r1" });
  await value(made, client.getFlag("own", ""));
  expect(made.service.calls.length).toBe(calls);
});

it("clearing forgets everything, here and on the disk", async () => {
  const made = world();
  const { client } = made.tab({ subscribe: ["own"] });
  void client.setUser({ userId: "r1" });
  await value(made, client.getFlag("own", ""));
  expect(made.disk.size).toBeGreaterThan(0);
  await value(made, client.clearUser());
  expect(client.peek("own")).toBeUndefined();
  expect(client.snapshot()).toMatchObject({ user: undefined, flags: [] });
  expect(made.disk.size).toBe(0);
});

it.each([
  ["unclearable", "There is an error clearing the user, error: the disk is broken"],
  ["never", "There is an error clearing the user, error: no answer"],
] as const)(
  "clearing a disk that is %s: rejects, and the values are gone all the same",
  async (disk, message) => {
    const made = world();
    const { client } = made.tab({ subscribe: ["own"] });
    void client.setUser({ userId: "r1" });
    await value(made, client.getFlag("own", ""));
    made.broken.disk = disk;
    const { error } = await outcome(made, client.clearUser());
    expect((error as Error).message).toBe(message);
    expect(client.peek("own")).toBeUndefined();
  },
);

it("an anonymous applicant who becomes a rider is another person here, and sends both", async () => {
  const made = world();
  const { client } = made.tab({ subscribe: ["own"] });
  void client.setUser({ anonymousId: "a1" });
  await value(made, client.getFlag("own", ""));
  void client.setUser({ anonymousId: "a1", userId: "r1" });
  expect(client.peek("own")).toBeUndefined();
  await value(made, client.getFlag("own", ""));
  expect(made.service.evaluations().at(-1)?.body).toMatchObject({
    anonymousId: "a1",
    userId: "r1",
  });
});

it("after it is closed nothing is asked, and whoever waits gets the fallback", async () => {
  const made = world();
  made.service.down = "hang";
  const { client } = made.tab({ subscribe: ["own"] });
  void client.setUser({ userId: "r1" });
  const asked = client.getFlag("own", "mine");
  await made.clock.advance(10);
  client.close();
  expect((await value(made, asked)).variation).toBe("mine");
  const calls = made.service.calls.length;
  await made.clock.advance(3_600_000);
  expect(made.service.calls.length).toBe(calls);
});
