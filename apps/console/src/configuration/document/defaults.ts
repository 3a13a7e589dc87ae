import type { Experiment, Flag, FlagsDocument, Holdout, Metric, Rule } from "./document";

/**
 * Fills omitted members of a handwritten document with the server's defaults, so that only intended
 * changes are differences. The document must be valid.
 */
export function withDefaults(written: FlagsDocument): FlagsDocument {
  const { schema, environment, version, attributes, segments, layers, holdouts, flags } = written;
  const { metrics = [], clientMetrics } = written;
  return {
    schema,
    environment,
    version: version ?? 0,
    attributes: attributes ?? [],
    segments: segments ?? [],
    layers: (layers ?? []).map((it) => fill({ slots: [], salt: it.key }, it)),
    holdouts: (holdouts ?? []).map(holdout),
    // The server omits both if they are empty.
    ...(metrics.length > 0 && { metrics: metrics.map(metric) }),
    ...(clientMetrics && { clientMetrics }),
    flags: (flags ?? []).map(flag),
  };
}

const metric = (it: Metric): Metric => fill({ direction: "increase", kind: "sum" }, it);

const fill = <T>(defaults: Partial<T>, it: T): T => ({ ...defaults, ...it });

function holdout(it: Holdout): Holdout {
  const unsaid: Partial<Holdout> = {
    salt: it.key,
    unit: "key",
    status: "running",
    priority: 0,
    scope: "all",
    population: null,
  };
  const times = { startAt: null, analysisAt: null, stopAt: null };
  return {
    ...fill(unsaid, it),
    applies: fill({ exceptFlags: [], flags: [], tags: [] }, it.applies),
    schedule: it.schedule ? fill(times, it.schedule) : null,
  };
}

function flag(it: Flag): Flag {
  const offVariation = it.offVariation ?? null;
  const unsaid: Partial<Flag> = {
    on: true,
    salt: it.key,
    tags: [],
    clientVisible: true,
    archived: false,
    prerequisites: [],
    baselineVariation: offVariation ?? it.defaultVariation,
  };
  return {
    ...fill(unsaid, it),
    offVariation,
    overrides: (it.overrides ?? []).map((one) => fill({ unit: "key" }, one)),
    rules: (it.rules ?? []).map(rule),
  };
}

function rule(it: Rule): Rule {
  const when = it.when ?? { all: [] };
  if ("rollout" in it.serve) {
    return { ...it, when, serve: { rollout: fill({ unit: "key" }, it.serve.rollout) } };
  }
  if (!("experiment" in it.serve)) return { ...it, when };
  const unsaid: Partial<Experiment> = {
    unit: "key",
    seed: it.serve.experiment.key,
    coverage: 100_000,
    sticky: false,
    bucketVersion: 1,
    minBucketVersion: 0,
    phase: 1,
    status: "running",
  };
  return { ...it, when, serve: { experiment: fill(unsaid, it.serve.experiment) } };
}
