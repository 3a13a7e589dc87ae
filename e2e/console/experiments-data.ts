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

/** Two experiments, one of which lost events; a flag without one; and a holdout. */
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

/** The same with declared metrics and their roles. For one metric, lower is better. */
export const declaredDocument = {
  ...flagsDocument,
  metrics: [
    { key: "tip_opened", name: "Tips opened", kind: "conversion" },
    { key: "late_start", name: "Late starts", direction: "decrease", kind: "conversion" },
    { key: "orders", kind: "sum" },
  ],
  flags: [
    flag("start", {
      experiment: experiment("start-test", "late_start", {
        goal: "late_start",
        guardrails: ["orders"],
        secondary: ["tip_opened"],
      }),
    }),
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
  /** Additional members of its events: a variation or a group. */
  readonly event: object;
  readonly people: number;
  /** For so many of a hundred people, a value is reported. */
  readonly ofHundred: number;
  /** The number of days over which the people came; 1 by default. */
  readonly days?: number;
}

async function report(
  musette: Musette,
  key: string,
  name: string,
  metric: string,
  arms: readonly Arm[],
) {
  const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
  const people = arms.flatMap(({ event, people, ofHundred, days = 1 }, arm) =>
    Array.from({ length: people }, (_, at) => ({
      unit: `${name}-${arm}-${at}`,
      event,
      // Spread evenly over the days and the people.
      isCounted: Math.floor(((at + 1) * ofHundred) / 100) > Math.floor((at * ofHundred) / 100),
      seen: ago(days - Math.floor((at * days) / people)),
      counted: ago(days - Math.floor((at * days) / people) - 0.1),
    })),
  );
  await post(
    musette,
    key,
    "events",
    people.map(({ unit, event, seen }) => ({ id: unit, unit, at: seen, ...event })),
  );
  await post(
    musette,
    key,
    "metrics",
    people
      .filter(({ isCounted }) => isCounted)
      .map(({ unit, counted }) => ({ id: unit, unit, metric, value: 1, at: counted })),
  );
}

const took = (experiment: string, variation: string) => ({
  name: "ab_test.participated",
  experiment,
  phase: 1,
  variation,
});

/** Late starts fell from 14 to 9.4 of a hundred, which is better because the metric should decrease. */
export async function withDeclaredMetrics(musette: Musette): Promise<void> {
  musette.importFlags(declaredDocument);
  const key = musette.createFlagKey("server");
  await report(musette, key, "start", "late_start", [
    { event: took("start-test", "old"), people: 4000, ofHundred: 14, days: 4 },
    { event: took("start-test", "new"), people: 4000, ofHundred: 9.4, days: 4 },
  ]);
}

/** Imports the document, and reports the events of a few hundred people. */
export async function withExperiments(musette: Musette): Promise<void> {
  musette.importFlags(flagsDocument);
  // Only a server may report outcomes.
  const key = musette.createFlagKey("server");
  const exposure = (group: string) => ({
    name: "holdout_group.participated",
    holdout: "2026-q4",
    group,
  });
  await report(musette, key, "tip", "tip_opened", [
    { event: took("tip-test", "old"), people: 400, ofHundred: 20 },
    { event: took("tip-test", "new"), people: 410, ofHundred: 40 },
  ]);
  await report(musette, key, "map", "late_start", [
    { event: took("map-test", "old"), people: 400, ofHundred: 20 },
    { event: took("map-test", "new"), people: 520, ofHundred: 40 },
  ]);
  await report(musette, key, "held", "orders", [
    { event: exposure("HELD_OUT"), people: 300, ofHundred: 30 },
    { event: exposure("COMPARISON"), people: 310, ofHundred: 30 },
  ]);
}
