import { expect, it } from "vitest";
import { settle } from "../session/testing/clock";
import { byCountry, experiment, type Failure, perUser, silent } from "./fixture/service";
import { createWorld, type Tab, type World } from "./fixture/world";
import type { FlagResult, FlagUser } from "./index";
import type { Entry } from "./records";

/** The number of runs. CI starts at another seed for each change (.ci/run). */
const RUNS = Number(process.env.MUSETTE_RUNS ?? 5_000);
const FIRST_SEED = Number(process.env.MUSETTE_SEED ?? 1);
const FALLBACK = "mine";
const KEYS = ["own", "silent", "country", "test", "none", "null", "loose"];
/** All keys except `loose`, which is requested without a subscription. */
const SUBSCRIBED = KEYS.slice(0, 6);
const FAULTS: readonly Failure[] = [
  "network",
  "hang",
  "ignores-abort",
  "garbage",
  401,
  404,
  429,
  500,
  503,
];
const USERS: readonly FlagUser[] = [
  { userId: "r1", country: "UY" },
  { userId: "r1", country: "AR" },
  { userId: "r2", country: "UY" },
  { anonymousId: "a1" },
];

/** Returns a mulberry32 generator: small, seeded, and the same on every machine. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

interface Open {
  readonly tab: Tab;
  user: FlagUser | undefined;
  alive: boolean;
  reported: Set<string>;
}

interface Run {
  readonly world: World;
  readonly seed: number;
  readonly tabs: Open[];
  readonly waiting: Set<{
    readonly sinceMs: number;
    readonly open: Open;
    readonly limitMs: number;
  }>;
  /** The number of reported metric values, by the id of the user. */
  readonly metricCounts: Map<string, number>;
  answers: number;
  values: number;
  failed?: Error;
}

/** Returns the value that the flag must have. The value itself contains the user or the country. */
function expected(user: FlagUser | undefined, key: string): unknown {
  if (key === "own" || key === "silent" || key === "loose") return `of ${user?.userId}`;
  if (key === "country") return `in ${user?.country}`;
  return key === "test" ? "map" : undefined;
}

function check(run: Run, user: FlagUser | undefined, key: string, result: FlagResult<unknown>) {
  run.answers += 1;
  const { variation, explanation } = result;
  if (variation === FALLBACK || variation === null) return;
  run.values += 1;
  if (variation !== expected(user, key)) {
    throw new Error(
      `seed ${run.seed}: ${key} is ${variation} for ${JSON.stringify(user)}, ${explanation.kind}`,
    );
  }
}

function callClient(run: Run, open: Open, pick: <T>(from: readonly T[]) => T) {
  const { client } = open.tab;
  const { user } = open;
  const keys = [pick(KEYS), pick(KEYS)];
  const [key = "own"] = keys;
  const entry = { sinceMs: run.world.clock.now(), open, limitMs: 3_000 };
  run.waiting.add(entry);
  /** Checks a result. It must belong to the user of the call, maybe with other attributes set since then. */
  const checkResult = (name: string, result: FlagResult<unknown>) => {
    const users = USERS.filter(
      (each) => each.userId === user?.userId && each.anonymousId === user?.anonymousId,
    );
    const matching = users.find((each) => expected(each, name) === result.variation);
    check(run, matching ?? user, name, result);
  };
  const call = pick(["one", "one", "many", "all", "keys"] as const);
  const response =
    call === "one"
      ? client.getFlag(key, FALLBACK).then((result) => checkResult(key, result))
      : call === "many"
        ? client.getFlags(keys, { [key]: FALLBACK }).then((results) => {
            for (const name of keys) checkResult(name, results[name] as FlagResult<unknown>);
          })
        : call === "all"
          ? client.getAllFlags().then((results) => {
              for (const name in results) checkResult(name, results[name] as FlagResult);
            })
          : client.getFlagKeys();
  response.then(
    () => run.waiting.delete(entry),
    (error: Error) => {
      run.waiting.delete(entry);
      const mayReject = !user && error.message.startsWith("Can't request flags until");
      if (!mayReject) run.failed = error;
    },
  );
}

function act(run: Run, pick: <T>(from: readonly T[]) => T, chance: () => number) {
  const { world } = run;
  const alive = run.tabs.filter((open) => open.alive);
  const open = alive.length ? pick(alive) : undefined;
  const dice = chance();
  if (!open || dice < 0.08) {
    if (alive.length < 3) {
      const tab = world.tab({
        subscribe: pick([SUBSCRIBED, ["own"], []]),
        cache: pick(["indexeddb", "indexeddb", "indexeddb", "memory", null]),
        stream: chance() < 0.5,
        apiVersion: "v3",
      });
      run.tabs.push({ tab, user: undefined, alive: true, reported: new Set() });
    }
  } else if (dice < 0.26) {
    open.user = pick(USERS);
    void open.tab.client.setUser(open.user);
  } else if (dice < 0.52) callClient(run, open, pick);
  else if (dice < 0.55) {
    const id = open.user && `${open.user.userId ?? open.user.anonymousId}`;
    if (id) run.metricCounts.set(id, (run.metricCounts.get(id) ?? 0) + 1);
    open.tab.client.reportMetric("tap");
  } else if (dice < 0.59) {
    open.user = undefined;
    open.tab.client.clearUser().catch(() => {});
  } else if (dice < 0.64) {
    const stop = open.tab.client.subscribe([pick(SUBSCRIBED)], () => {});
    if (chance() < 0.5) world.clock.after(50, stop);
  } else if (dice < 0.7) {
    open.tab.visible = !open.tab.visible;
    open.tab.page(open.tab.visible ? "wake" : "hide");
  } else if (dice < 0.73) {
    open.tab.kill();
    open.alive = false;
    for (const entry of run.waiting) if (entry.open === open) run.waiting.delete(entry);
  } else if (dice < 0.78) world.service.failures.push(pick(FAULTS), pick(FAULTS));
  else if (dice < 0.8) world.service.down = pick([undefined, undefined, ...FAULTS]);
  else if (dice < 0.84)
    world.broken = { disk: pick(["blocked", "full", "never", "unclearable"] as const) };
  else if (dice < 0.87) world.broken = { storage: pick(["blocked", "full"] as const) };
  else if (dice < 0.89) world.broken = { lock: pick(["never", "refused", "absent"] as const) };
  else if (dice < 0.93) world.broken = {};
  else if (dice < 0.95) world.skewMs = pick([0, -3_600_000, 3_600_000]);
  else if (dice < 0.97) world.service.delayMs = pick([5, 400, 4_000]);
  else world.service.publish("test", experiment("t", 1 + Math.floor(chance() * 3)));
}

/** Checks the invariants that hold at every moment. */
function checkInvariants(run: Run) {
  const { world, seed } = run;
  if (run.failed) throw run.failed;
  const now = world.clock.now();
  for (const { sinceMs, limitMs } of run.waiting) {
    if (now - sinceMs > limitMs + 1)
      throw new Error(`seed ${seed}: a call waits for ${now - sinceMs} ms`);
  }
  for (const { tab, user, alive } of run.tabs) {
    if (!alive) continue;
    for (const { key, result } of tab.client.snapshot().flags) check(run, user, key, result);
  }
  for (const [key, stored] of world.disk) {
    if (!key.includes("fwf-flags-db")) continue;
    const { result } = stored as Entry;
    const name = key.slice(key.lastIndexOf(":") + 1);
    const { kind } = result.explanation;
    if (
      result.variation === null ||
      kind === "ERROR" ||
      kind === "FALLBACK" ||
      !SUBSCRIBED.includes(name)
    ) {
      throw new Error(`seed ${seed}: ${name} is stored, with ${kind}`);
    }
  }
}

async function play(seed: number): Promise<Run> {
  const chance = random(seed);
  const pick = <T>(from: readonly T[]) => from[Math.floor(chance() * from.length)] as T;
  const world = createWorld();
  world.service.flags
    .set("own", perUser)
    .set("loose", perUser)
    .set("silent", silent)
    .set("country", byCountry)
    .set("test", experiment("t"))
    .set("null", () => ({ variation: null, explanation: { kind: "OFF", from: "flag" } }));
  const run: Run = {
    world,
    seed,
    tabs: [],
    waiting: new Set(),
    metricCounts: new Map(),
    answers: 0,
    values: 0,
  };
  for (let step = 0; step < 14; step += 1) {
    act(run, pick, chance);
    await world.clock.advance(pick([0, 0, 1, 6, 300, 2_000, 61_000]));
    checkInvariants(run);
  }
  await world.clock.advance(3_001);
  checkInvariants(run);
  if (run.waiting.size) throw new Error(`seed ${seed}: ${run.waiting.size} calls never settle`);
  const reportedIds = run.tabs.flatMap(({ tab }) => tab.reported.map(({ id }) => `${id}`));
  if (world.service.events.length > new Set(reportedIds).size)
    throw new Error(`seed ${seed}: an event was counted twice`);
  for (const { unit } of world.service.metrics) {
    const remaining = run.metricCounts.get(unit) ?? 0;
    if (!remaining)
      throw new Error(`seed ${seed}: ${unit} has more metric values than were reported`);
    run.metricCounts.set(unit, remaining - 1);
  }
  for (const { tab, alive } of run.tabs) if (alive) tab.client.close();
  return run;
}

it("random runs settle in time, never show another user's value and store only permitted values", async () => {
  let values = 0;
  let metrics = 0;
  let requests = 0;
  // The runs create hundreds of thousands of errors, and no check reads their stack traces.
  Error.stackTraceLimit = 0;
  // In parallel, because each step of a run waits for the same macrotask.
  for (let played = 0; played < RUNS; played += 200) {
    const count = Math.min(200, RUNS - played);
    const seeds = Array.from({ length: count }, (_, at) => FIRST_SEED + played + at);
    for (const run of await Promise.all(seeds.map(play))) {
      values += run.values;
      metrics += run.world.service.metrics.length;
      requests += run.world.service.calls.length;
    }
    await settle();
  }
  // The runs had an effect at all.
  expect(values).toBeGreaterThan(RUNS);
  expect(metrics).toBeGreaterThan(RUNS / 100);
  expect(requests).toBeGreaterThan(RUNS);
}, 900_000);
