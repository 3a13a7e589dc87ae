import { expect, it } from "vitest";
import { settle } from "./testing/clock";
import type { Failure } from "./testing/service";
import { API, createWorld, REFRESH, type Tab, type World } from "./testing/world";

/** The number of runs. CI starts at another seed for each change, so ten changes cover 100,000 runs (.ci/run). */
const RUNS = Number(process.env.MUSETTE_RUNS ?? 10_000);
const FIRST_SEED = Number(process.env.MUSETTE_SEED ?? 1);

/** Twice the wait for a lock and a refresh: once before the request, and once after a late 401 or 403. */
const LONGEST_WAIT_MS = 2 * (10_000 + 8_000 + 2 * 500) + 1_000;

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

const FAULTS: readonly Failure[] = [
  "network",
  "hang",
  "lost",
  "garbage",
  "unusable",
  401,
  403,
  429,
  500,
  503,
];

/** The failures that may end a session. */
const FINAL: readonly (Failure | undefined)[] = ["unusable", 401, 403];

interface Run {
  readonly world: World;
  readonly seed: number;
  readonly tabs: { readonly tab: Tab; open: boolean }[];
  readonly waiting: Set<{ readonly tab: Tab; readonly sinceMs: number }>;
  /** Whether an event occurred that may end a session. */
  mayEnd: boolean;
  settled: number;
}

type Pick = <T>(from: readonly T[]) => T;

function request(run: Run, tab: Tab) {
  const entry = { tab, sinceMs: run.world.clock.now() };
  run.waiting.add(entry);
  const settled = () => {
    run.waiting.delete(entry);
    run.settled += 1;
  };
  tab.session.fetch(API).then(settled, settled);
}

function act(run: Run, pick: Pick, chance: () => number) {
  const { world } = run;
  const open = run.tabs.filter(({ open }) => open);
  const one = open.length ? pick(open) : undefined;
  const dice = chance();
  if (!one || dice < 0.1) {
    if (run.tabs.length < 4) run.tabs.push({ tab: world.tab(), open: true });
  } else if (dice < 0.6) request(run, one.tab);
  else if (dice < 0.68) {
    one.tab.close();
    one.open = false;
    for (const entry of run.waiting) if (entry.tab === one.tab) run.waiting.delete(entry);
  } else if (dice < 0.8) one.tab.wake();
  else if (dice < 0.84) world.broken.lock = pick(["never", "refused", "absent"] as const);
  else if (dice < 0.87) world.broken.share = pick(["never", "absent"] as const);
  else if (dice < 0.9) world.broken = {};
  else if (dice < 0.92) world.broken.channel = !world.broken.channel;
  else if (dice < 0.95) one.tab.session.setTokens(world.service.signIn());
  else if (dice < 0.97) {
    run.mayEnd = true;
    pick([() => one.tab.session.clear(), () => void one.tab.session.logout()])();
  } else world.service.delayMs = pick([5, 300, 3_000]);
}

function check(run: Run) {
  const { world, seed } = run;
  const now = world.clock.now();
  for (const { sinceMs } of run.waiting) {
    // The delay of the API itself, for at most two responses, is not part of the session.
    const limit = LONGEST_WAIT_MS + 2 * 3_000;
    if (now - sinceMs > limit) throw Error(`seed ${seed}: a request never settles`);
  }
  if (world.service.most.locked > 1) throw Error(`seed ${seed}: two refreshes under one lock`);
}

async function play(seed: number): Promise<Run> {
  const chance = random(seed);
  const pick: Pick = (from) => from[Math.floor(chance() * from.length)] as (typeof from)[number];
  const world = createWorld();
  world.signIn(pick([-1, 1, 900]));
  const { refresh } = world.service;
  const run: Run = { world, seed, tabs: [], waiting: new Set(), mayEnd: false, settled: 0 };
  const calm = chance() < 0.3;
  world.service.failures.push(
    ...Array.from({ length: 12 }, () => (calm || chance() < 0.4 ? undefined : pick(FAULTS))),
  );
  world.service.refresh = (body, failure) => {
    const response = refresh(body, failure);
    // The server correctly rejects the token of a session that a sign-in has replaced.
    if (!response.ok || FINAL.includes(failure)) run.mayEnd ||= response.status !== 500;
    return response;
  };
  for (let count = 0; count < 12; count += 1) {
    act(run, pick, chance);
    await world.clock.advance(pick([0, 1, 6, 400, 2_500, 9_000]));
    check(run);
  }
  for (let count = 0; count < 4 && run.waiting.size; count += 1) {
    await world.clock.advance(LONGEST_WAIT_MS / 3);
    check(run);
  }
  await world.clock.advance(10_000);
  check(run);
  if (run.waiting.size) throw Error(`seed ${seed}: ${run.waiting.size} requests never settle`);
  return run;
}

it(`${RUNS} random runs settle every request, refresh once per lock and end no session without cause`, async () => {
  let settled = 0;
  let refreshes = 0;
  // The runs create hundreds of thousands of errors, and no check reads their stack traces.
  Error.stackTraceLimit = 0;
  // In parallel, because each step of a run waits for the same macrotask.
  for (let seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed += 200) {
    const seeds = Array.from(
      { length: Math.min(200, FIRST_SEED + RUNS - seed) },
      (_, at) => seed + at,
    );
    for (const run of await Promise.all(seeds.map(play))) {
      settled += run.settled;
      refreshes += run.world.service.calls.filter(({ url }) => url === REFRESH).length;
      const ended = run.tabs.flatMap(({ tab }) => tab.logouts.filter(({ final }) => final));
      if (ended.length && !run.mayEnd) throw Error(`seed ${run.seed}: ${ended[0]?.reason}`);
    }
    await settle();
  }
  // The runs had an effect at all.
  expect(settled).toBeGreaterThan(RUNS * 2);
  expect(refreshes).toBeGreaterThan(RUNS / 2);
}, 900_000);
