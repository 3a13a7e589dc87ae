import { pageTexts } from "../../../language/page-texts";
import type {
  ExperimentStatus,
  Holdout,
  HoldoutStatus,
  Metric,
  MetricKind,
  Operator,
} from "../../document/document";
import type { SectionName } from "../../document/objects";

export interface ReviewTexts {
  readonly sections: Readonly<Record<SectionName | "settings", string>>;
  readonly how: Readonly<Record<"added" | "removed" | "changed", string>>;
  readonly nothing: string;
  readonly was: string;
  readonly is: string;
  readonly raw: string;
  readonly review: string;
  readonly reviewIn: string;
  readonly comment: string;
  readonly commentHint: string;
  readonly save: string;
  readonly movedOn: string;
  readonly movedOnBoth: string;
  readonly bothChanged: string;
  readonly sides: Readonly<Record<"theirs" | "mine", string>>;
  readonly faults: (count: string) => string;
  /** By the code of the fault. */
  readonly faultCodes: Readonly<Record<string, string>>;
  readonly quoted: (text: string) => string;
  readonly comma: string;
  readonly and: string;
  readonly or: string;
  readonly andMore: (listed: string, more: string) => string;
  readonly not: (condition: string) => string;
  readonly yes: string;
  readonly no: string;
  readonly on: string;
  readonly off: string;
  readonly none: string;
  readonly everybody: string;
  readonly nobody: string;
  readonly inSegment: (key: string) => string;
  readonly operators: Readonly<Record<Operator, string>>;
  readonly ifThen: (condition: string, serve: string) => string;
  readonly rollout: (variation: string, percent: string) => string;
  readonly from: (percent: string, instant: string) => string;
  readonly experiment: (key: string, status: string) => string;
  readonly experimentStatus: Readonly<Record<ExperimentStatus, string>>;
  readonly holdoutStatus: Readonly<Record<HoldoutStatus, string>>;
  readonly holdoutScope: Readonly<Record<Holdout["scope"], string>>;
  readonly directions: Readonly<Record<Metric["direction"], string>>;
  readonly metricKinds: Readonly<Record<MetricKind, string>>;
  readonly allFlagsBut: (flags: string) => string;
  readonly onlyFlags: (flags: string) => string;
  readonly ownFallback: string;
  readonly variation: (key: string) => string;
  readonly prerequisite: (flag: string) => string;
  readonly serves: (variations: string) => string;
  readonly override: (person: string) => string;
  readonly rule: (number: string, name: string) => string;
  readonly within: (place: string, what: string) => string;
  readonly fields: Readonly<
    Record<
      | "description"
      | "match"
      | "type"
      | "salt"
      | "slots"
      | "status"
      | "percent"
      | "unit"
      | "priority"
      | "scope"
      | "applies"
      | "population"
      | "schedule"
      | "on"
      | "archived"
      | "owner"
      | "tag"
      | "clientVisible"
      | "defaultVariation"
      | "offVariation"
      | "baselineVariation"
      | "variationOrder"
      | "ruleOrder"
      | "name"
      | "when"
      | "serve"
      | "rollout"
      | "experiment"
      | "weights"
      | "coverage"
      | "winner"
      | "layer"
      | "fallbackUnit"
      | "phase"
      | "sticky"
      | "bucketVersion"
      | "minBucketVersion"
      | "seed"
      | "hypothesis"
      | "primaryMetric"
      | "goal"
      | "guardrails"
      | "secondary"
      | "direction"
      | "kind"
      | "denominator"
      | "measuredIn"
      | "min"
      | "max"
      | "cap",
      string
    >
  >;
}

export const useReviewTexts = pageTexts<ReviewTexts>({
  en: () => import("./en").then(({ en }) => en),
  de: () => import("./de").then(({ de }) => de),
  ar: () => import("./ar").then(({ ar }) => ar),
});
