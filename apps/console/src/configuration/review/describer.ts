import { dateFormat } from "../../language/date-format";
import type { Condition, Experiment, Json, Rollout, Serve, Test } from "../document/document";
import type { ReviewTexts } from "./texts/texts";

/** Describes parts of a configuration as text. */
export interface Describer {
  readonly texts: ReviewTexts;
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
export function createDescriber(texts: ReviewTexts, tag: string): Describer {
  const numbers = new Intl.NumberFormat(tag, { maximumFractionDigits: 10 });
  const percents = new Intl.NumberFormat(tag, { style: "percent", maximumFractionDigits: 3 });
  const instants = dateFormat(tag, "minute");
  const lists = {
    and: new Intl.ListFormat(tag, { type: "conjunction" }),
    or: new Intl.ListFormat(tag, { type: "disjunction" }),
  };

  const value = (value: Json): string => {
    if (typeof value === "string") return texts.quoted(value);
    if (typeof value === "number") return numbers.format(value);
    if (typeof value === "boolean") return value ? texts.yes : texts.no;
    return JSON.stringify(value);
  };
  const percent = (number: number) =>
    Number.isFinite(number) ? percents.format(number / 100) : "–";
  const instant = (text: string) => {
    const at = new Date(text);
    return Number.isNaN(at.valueOf()) ? text : instants.format(at);
  };
  const list = (items: readonly string[], how: "and" | "or") =>
    items.length > LISTED
      ? texts.andMore(
          items.slice(0, LISTED - 1).join(texts.comma),
          numbers.format(items.length - LISTED + 1),
        )
      : lists[how].format(items);

  const test = ({ attr, op, value: one, values }: Test) => {
    const isInstant = op === "before" || op === "after";
    const described = (operand: Json) =>
      isInstant && typeof operand === "string" ? instant(operand) : value(operand);
    const name = texts.operators[op] ?? op;
    if (op === "exists") return `${attr} ${name}`;
    const how = op === "between" || op === "has_all" ? "and" : "or";
    const operand = values ? list(values.map(described), how) : described(one ?? null);
    return `${attr} ${name} ${operand}`;
  };
  const condition = (inner: Condition, isInner = false): string => {
    if ("attr" in inner) return test(inner);
    if ("segment" in inner) return texts.inSegment(inner.segment);
    if ("not" in inner) return texts.not(condition(inner.not, true));
    const [parts, how] =
      "all" in inner ? ([inner.all, "and"] as const) : ([inner.any, "or"] as const);
    if (parts.length === 0) return how === "and" ? texts.everybody : texts.nobody;
    const joined = parts
      .map((part) => condition(part, parts.length > 1))
      .join(how === "and" ? texts.and : texts.or);
    return isInner && parts.length > 1 ? `(${joined})` : joined;
  };
  const serve = describeServe(texts, { percent, instant });
  return {
    texts,
    value,
    list,
    percent,
    instant,
    test,
    condition: (value) => condition(value),
    serve,
  };
}

function describeServe(texts: ReviewTexts, format: Pick<Describer, "percent" | "instant">) {
  const rollout = ({ steps, variation }: Rollout) => {
    const [only] = steps;
    if (steps.length === 1 && only && !only.at) {
      return texts.rollout(texts.quoted(variation), format.percent(only.percent));
    }
    const described = steps.map(({ at, percent }) =>
      at ? texts.from(format.percent(percent), format.instant(at)) : format.percent(percent),
    );
    return texts.rollout(texts.quoted(variation), described.join(texts.comma));
  };
  const experiment = ({ key, weights, status }: Experiment) => {
    const shares = Object.entries(weights).map(
      ([variation, weight]) => `${texts.quoted(variation)} ${format.percent(weight / 1000)}`,
    );
    const state = texts.experimentStatus[status];
    return `${texts.experiment(texts.quoted(key), state)}: ${shares.join(texts.comma)}`;
  };
  return (serve: Serve): string => {
    if ("variation" in serve) return texts.quoted(serve.variation);
    if ("rollout" in serve) return rollout(serve.rollout);
    return experiment(serve.experiment);
  };
}
