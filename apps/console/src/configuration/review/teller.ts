import { dateLocale } from "../../language/date-locale";
import type { Condition, Experiment, Json, Rollout, Serve, Test } from "../document/document";
import type { ReviewTexts } from "./texts/texts";

/** Describes parts of a configuration as text. */
export interface Describer {
  readonly words: ReviewTexts;
  readonly value: (value: Json) => string;
  readonly list: (items: readonly string[], how: "and" | "or") => string;
  readonly percent: (percent: number) => string;
  readonly instant: (instant: string) => string;
  readonly condition: (condition: Condition) => string;
  readonly test: (test: Test) => string;
  readonly serve: (serve: Serve) => string;
}

const LISTED = 6;

/** Creates a describer for a language. Timestamps are in the browser's time zone. */
export function createDescriber(words: ReviewTexts, tag: string): Describer {
  const numbers = new Intl.NumberFormat(tag, { maximumFractionDigits: 10 });
  const percents = new Intl.NumberFormat(tag, { style: "percent", maximumFractionDigits: 3 });
  const instants = new Intl.DateTimeFormat(dateLocale(tag), {
    dateStyle: "medium",
    timeStyle: "short",
  });
  const lists = {
    and: new Intl.ListFormat(tag, { type: "conjunction" }),
    or: new Intl.ListFormat(tag, { type: "disjunction" }),
  };

  const value = (it: Json): string => {
    if (typeof it === "string") return words.quoted(it);
    if (typeof it === "number") return numbers.format(it);
    if (typeof it === "boolean") return it ? words.yes : words.no;
    return JSON.stringify(it);
  };
  const percent = (it: number) => (Number.isFinite(it) ? percents.format(it / 100) : "–");
  const instant = (it: string) => {
    const at = new Date(it);
    return Number.isNaN(at.valueOf()) ? it : instants.format(at);
  };
  const list = (items: readonly string[], how: "and" | "or") =>
    items.length > LISTED
      ? words.andMore(
          items.slice(0, LISTED - 1).join(words.comma),
          numbers.format(items.length - LISTED + 1),
        )
      : lists[how].format(items);

  const test = ({ attr, op, value: one, values }: Test) => {
    const isInstant = op === "before" || op === "after";
    const described = (it: Json) => (isInstant && typeof it === "string" ? instant(it) : value(it));
    const name = words.operators[op] ?? op;
    if (op === "exists") return `${attr} ${name}`;
    const how = op === "between" || op === "has_all" ? "and" : "or";
    const operand = values ? list(values.map(described), how) : described(one ?? null);
    return `${attr} ${name} ${operand}`;
  };
  const condition = (it: Condition, isInner = false): string => {
    if ("attr" in it) return test(it);
    if ("segment" in it) return words.inSegment(it.segment);
    if ("not" in it) return words.not(condition(it.not, true));
    const [parts, how] = "all" in it ? ([it.all, "and"] as const) : ([it.any, "or"] as const);
    if (parts.length === 0) return how === "and" ? words.everybody : words.nobody;
    const joined = parts
      .map((part) => condition(part, parts.length > 1))
      .join(how === "and" ? words.and : words.or);
    return isInner && parts.length > 1 ? `(${joined})` : joined;
  };
  const serve = describeServe(words, { percent, instant });
  return { words, value, list, percent, instant, test, condition: (it) => condition(it), serve };
}

function describeServe(words: ReviewTexts, format: Pick<Describer, "percent" | "instant">) {
  const rollout = ({ steps, variation }: Rollout) => {
    const [only] = steps;
    if (steps.length === 1 && only && !only.at) {
      return words.rollout(words.quoted(variation), format.percent(only.percent));
    }
    const described = steps.map(({ at, percent }) =>
      at ? words.from(format.percent(percent), format.instant(at)) : format.percent(percent),
    );
    return words.rollout(words.quoted(variation), described.join(words.comma));
  };
  const experiment = ({ key, weights, status }: Experiment) => {
    const shares = Object.entries(weights).map(
      ([variation, weight]) => `${words.quoted(variation)} ${format.percent(weight / 1000)}`,
    );
    const state = words.experimentStatus[status];
    return `${words.experiment(words.quoted(key), state)}: ${shares.join(words.comma)}`;
  };
  return (serve: Serve): string => {
    if ("variation" in serve) return words.quoted(serve.variation);
    if ("rollout" in serve) return rollout(serve.rollout);
    return experiment(serve.experiment);
  };
}
