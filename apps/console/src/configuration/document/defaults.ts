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
    layers: (layers ?? []).map((layer) => fill({ slots: [], salt: layer.key }, layer)),
    holdouts: (holdouts ?? []).map(holdout),
    // The server omits both if they are empty.
    ...(metrics.length > 0 && { metrics: metrics.map(metric) }),
    ...(clientMetrics && { clientMetrics }),
    flags: (flags ?? []).map(flag),
  };
}

const metric = (metric: Metric): Metric => fill({ direction: "increase", kind: "sum" }, metric);

const fill = <T>(defaults: Partial<T>, item: T): T => ({ ...defaults, ...item });

function holdout(written: Holdout): Holdout {
  const unsaid: Partial<Holdout> = {
    salt: written.key,
    unit: "key",
    status: "running",
    priority: 0,
    scope: "all",
    population: null,
  };
  const times = { startAt: null, analysisAt: null, stopAt: null };
  return {
    ...fill(unsaid, written),
    applies: fill({ exceptFlags: [], flags: [], tags: [] }, written.applies),
    schedule: written.schedule ? fill(times, written.schedule) : null,
  };
}

function flag(written: Flag): Flag {
  const offVariation = written.offVariation ?? null;
  const unsaid: Partial<Flag> = {
    on: true,
    salt: written.key,
    tags: [],
    clientVisible: true,
    archived: false,
    prerequisites: [],
    baselineVariation: offVariation ?? written.defaultVariation,
  };
  return {
    ...fill(unsaid, written),
    ...(written.requires_notice && {
      requires_notice: fill({ days: 15, share_served: 0.9 }, written.requires_notice),
    }),
    offVariation,
    overrides: (written.overrides ?? []).map((one) => fill({ unit: "key" }, one)),
    rules: (written.rules ?? []).map(rule),
  };
}

function rule(written: Rule): Rule {
  const when = written.when ?? { all: [] };
  if ("rollout" in written.serve) {
    return { ...written, when, serve: { rollout: fill({ unit: "key" }, written.serve.rollout) } };
  }
  if (!("experiment" in written.serve)) return { ...written, when };
  const unsaid: Partial<Experiment> = {
    unit: "key",
    seed: written.serve.experiment.key,
    coverage: 100_000,
    sticky: false,
    bucketVersion: 1,
    minBucketVersion: 0,
    phase: 1,
    status: "running",
  };
  return { ...written, when, serve: { experiment: fill(unsaid, written.serve.experiment) } };
}
