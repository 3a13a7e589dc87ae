import { plural } from "../../language/plural";

export const en = {
  people: "People",
  peopleHint: (unit: string) =>
    `Counted once each, by ${unit}, when they first met their variation.`,
  arm: "Variation",
  count: "People",
  share: "Share",
  expected: "Expected",
  all: (count: string) => `${count} people in all`,
  noWeight: "no weight any more",
  ratioGood: (p: string) => `They came in the proportion of the weights (${p}).`,
  ratioEarly: "Too few to tell whether they come in the proportion of the weights.",
  ratioOff: "Sample ratio mismatch: do not use these results",
  ratioOffText: (p: string) =>
    `People did not come in the proportion of the weights. By chance that would hardly ever happen (${p}). Some were lost on their way in one variation only, so no difference below can be believed.`,
  ratioCauses: [
    "One variation reports participation later, and people leave before it does.",
    "The report depends on something that only one variation has, such as a screen that is opened.",
    "Weights were changed during this phase: begin a new phase after such a change.",
  ],
  twice: (count: string, share: string) =>
    `${count} people (${share}) were seen in more than one variation; they count in none.`,
  twiceOff: "Multiple exposures: do not use these results",
  twiceOffText: (count: string, share: string) =>
    `${count} people (${share}) met more than one variation. Mostly the unit is not stable: an id that changes with the device, or weights that were changed without a new phase.`,
  asOf: (time: string) => `As of ${time}. Renewed every 30 seconds.`,
  updating: "Updating…",
  since: (from: string, to: string) => `First participation ${from}, last ${to}.`,
  metric: "Metric results",
  metricHint: "Values since each person’s first participation.",
  metricField: "Metric",
  metricNone: "Choose a metric",
  metricNoneHint: "This has no goal metric. Choose one that your service reports.",
  show: "Show",
  goal: "Goal",
  goals: { higher: "higher", lower: "lower" },
  measure: "Measured as",
  measures: { mean: "average per person", proportion: "share of people" },
  phase: "Phase",
  phaseName: (phase: string) => `Phase ${phase}`,
  phaseNow: (phase: string) => `Phase ${phase} (now)`,
  baseline: "baseline",
  roles: { goal: "Goal metric", guardrail: "Guardrail", secondary: "Secondary" },
  directions: { increase: "Higher is better", decrease: "Lower is better" },
  kinds: {
    sum: "Sum per person",
    conversion: "Share of people",
    mean: "Mean of values",
    ratio: "Ratio of two metrics",
  },
  columns: { sum: "Average", conversion: "Share", mean: "Mean", ratio: "Ratio" },
  overTime: "Over time",
  overTimeHint:
    "The difference at the end of each day (UTC), with the interval that was valid on it. People who met several variations count in none.",
  day: "Day",
  asTable: (arm: string) => `${arm} as a table`,
  daysToGo: plural("en", { one: "About # day to go.", other: "About # days to go." }),
  enoughPeople: "Enough people have taken part.",
  enoughHint: (effect: string) =>
    `A change of ${effect} would have been found in four of five tests by now. If there is one, it is probably smaller.`,
  nobodyComes: "Nobody new has come in the last week.",
  neededSoFar: (units: string, needed: string) => `${units} of ${needed} people so far`,
  remainingHint: (effect: string, sizes: string) =>
    `By then a change of ${effect} is found in four of five tests (${sizes}). It may be found sooner.`,
  corrected: (count: string) =>
    `${count} variations are compared with the baseline: the 95 % hold for all of them together (Bonferroni).`,
  otherMetrics: "Guardrails and secondary metrics",
  otherMetricsHint:
    "Not corrected for how many there are: the goal metric decides, and a guardrail that is worse is a reason to stop.",
  notWorse: "Not shown to be worse",
  undeclared: "Not declared in the configuration: read as chosen here.",
  inUnit: (written: string, unit: string) => `${written} ${unit}`,
  titleInUnit: (title: string, unit: string) => `${title} (${unit})`,
  difference: "Difference",
  interval: "95 % interval",
  lift: "Lift",
  range: (low: string, high: string) => `${low} to ${high}`,
  points: (written: string) => `${written} points`,
  reported: (count: string, all: string) => `${count} of ${all} people have a value`,
  cuped: "Adjusted (CUPED)",
  cupedHint:
    "What the same people did in the 14 days before was taken out, which makes the intervals narrower.",
  always: "The intervals hold however often you look: nothing is lost by reading daily.",
  between: (low: string, high: string) => `between ${low} and ${high}`,
  /** With `between`. */
  better: (arm: string, between: string) => `${arm} is better: ${between}.`,
  worse: (arm: string, between: string) => `${arm} is worse: ${between}.`,
  /** With `range`. */
  notYet: (arm: string, range: string) =>
    `${arm} is inconclusive: the interval, ${range}, contains 0.`,
  noData: (arm: string) =>
    `Nothing can be said about ${arm} yet: fewer than 8 people, or all have the same value.`,
  noBaseline: (baseline: string) =>
    `Nothing can be compared: nobody has a value of ${baseline}, which is the baseline.`,
  silent: (metric: string) =>
    `Nobody has reported ${metric} yet. Your service reports it like this:`,
  unreadableRatio: "Sample ratio mismatch: do not use these results.",
  unreadableTwice: "Multiple exposures: do not use these results.",
  readings: {
    better: "Better",
    worse: "Worse",
    not_yet: "Inconclusive",
    no_data: "No data",
    unreadable: "Invalid",
  },
  nobody: "No participation yet",
  nobodyText:
    "Nobody was counted so far. Somebody takes part when your application shows them their variation and reports it:",
  sendClient: "In the browser, the flag client reports by itself when the variation is shown:",
  sendServer: "Or report it from your service:",
  sendMetric: "And metric values, whenever they happen:",
  warnings: {
    sample_ratio_mismatch: "Sample ratio mismatch",
    multiple_exposures: "Multiple exposures",
  },
};
