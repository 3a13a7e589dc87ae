import type { Musette } from "../setup/musette";

const experiment = (key: string, metric: string, part: object = {}) => ({
  key,
  unit: "userId",
  seed: key,
  coverage: 100_000,
  weights: { old: 50_000, new: 50_000 },
  sticky: false,
  bucketVersion: 1,
  minBucketVersion: 0,
  phase: 1,
  status: "running",
  primaryMetric: metric,
  ...part,
});

const flag = (key: string, serve?: object) => ({
  key,
  type: "string",
  on: true,
  salt: key,
  tags: [],
  clientVisible: true,
  archived: false,
  variations: [
    { key: "old", value: "old" },
    { key: "new", value: "new" },
  ],
  offVariation: "old",
  defaultVariation: "old",
  baselineVariation: "old",
  prerequisites: [],
  overrides: [],
  rules: serve ? [{ id: "test", when: { all: [] }, serve }] : [],
});

/** Two experiments, one of which lost people on their way; a flag without one; a holdout. */
export const flagsDocument = {
  schema: "musette.flags/1",
  environment: "production",
  version: 1,
  attributes: [],
  segments: [],
  layers: [],
  holdouts: [
    {
      key: "2026-q4",
      salt: "h",
      unit: "userId",
      percent: 2,
      status: "running",
      priority: 1,
      scope: "experiments",
      applies: { mode: "global", exceptFlags: ["chat"], tags: [] },
      population: null,
    },
  ],
  flags: [
    flag("tip", { experiment: experiment("tip-test", "tip_opened", { hypothesis: "Tips help" }) }),
    flag("map", { experiment: experiment("map-test", "late_start") }),
    flag("chat"),
  ],
};

const DAY_MS = 86_400_000;

async function post(musette: Musette, key: string, what: string, rows: readonly object[]) {
  for (let at = 0; at < rows.length; at += 500) {
    const response = await fetch(`${musette.url}/api/flags/v3/${what}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify(rows.slice(at, at + 500)),
    });
    if (!response.ok) throw new Error(`${what}: ${response.status} ${await response.text()}`);
  }
}

interface Arm {
  /** What its events say beside the rest: a variation or a group. */
  readonly event: object;
  readonly people: number;
  /** Of ten, for so many there is something to count. */
  readonly ofTen: number;
}

async function report(
  musette: Musette,
  key: string,
  name: string,
  metric: string,
  arms: readonly Arm[],
) {
  const seen = new Date(Date.now() - DAY_MS).toISOString();
  const counted = new Date(Date.now() - DAY_MS / 2).toISOString();
  const people = arms.flatMap(({ event, people, ofTen }, arm) =>
    Array.from({ length: people }, (_, at) => ({
      unit: `${name}-${arm}-${at}`,
      event,
      isCounted: at % 10 < ofTen,
    })),
  );
  await post(
    musette,
    key,
    "events",
    people.map(({ unit, event }) => ({ id: unit, unit, at: seen, ...event })),
  );
  await post(
    musette,
    key,
    "metrics",
    people
      .filter(({ isCounted }) => isCounted)
      .map(({ unit }) => ({ id: unit, unit, metric, value: 1, at: counted })),
  );
}

/** The document, and what some hundreds of people did. */
export async function withExperiments(musette: Musette): Promise<void> {
  musette.importFlags(flagsDocument);
  // Outcomes are a server's to report.
  const key = musette.createFlagKey("server");
  const took = (experiment: string, variation: string) => ({
    name: "ab_test.participated",
    experiment,
    phase: 1,
    variation,
  });
  const held = (group: string) => ({
    name: "holdout_group.participated",
    holdout: "2026-q4",
    group,
  });
  await report(musette, key, "tip", "tip_opened", [
    { event: took("tip-test", "old"), people: 400, ofTen: 2 },
    { event: took("tip-test", "new"), people: 410, ofTen: 4 },
  ]);
  await report(musette, key, "map", "late_start", [
    { event: took("map-test", "old"), people: 400, ofTen: 2 },
    { event: took("map-test", "new"), people: 520, ofTen: 4 },
  ]);
  await report(musette, key, "held", "orders", [
    { event: held("HELD_OUT"), people: 300, ofTen: 3 },
    { event: held("COMPARISON"), people: 310, ofTen: 3 },
  ]);
}
