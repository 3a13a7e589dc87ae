import { describe, expect, it } from "vitest";
import demo from "../../../../../demo/flags.json";
import {
  type Flag,
  type FlagsDocument,
  type Rule,
  withFlag,
  withoutFlag,
} from "../document/document";
import { merge } from "./merge";

const base = demo as unknown as FlagsDocument;

function changed(document: FlagsDocument, key: string, owner: string): FlagsDocument {
  const flag = document.flags.find((flag) => flag.key === key);
  if (!flag) throw new Error(`demo/flags.json has no flag ${key}`);
  return withFlag(document, { ...flag, owner });
}
const owner = (document: FlagsDocument, key: string) =>
  document.flags.find((flag) => flag.key === key)?.owner;

it("combines changes of different flags", () => {
  const theirs = { ...changed(base, "start-tip", "theirs"), version: 2 };
  const { document, conflicts } = merge(base, theirs, changed(base, "cash-orders", "mine"));
  expect(conflicts).toEqual([]);
  expect(document.version).toBe(2);
  expect(owner(document, "start-tip")).toBe("theirs");
  expect(owner(document, "cash-orders")).toBe("mine");
});

it("keeps theirs by default if both changed one flag", () => {
  const theirs = changed(base, "start-tip", "theirs");
  const ours = changed(base, "start-tip", "mine");
  const first = merge(base, theirs, ours);
  expect(first.conflicts).toMatchObject([{ section: "flags", key: "start-tip", part: "owner" }]);
  expect(owner(first.document, "start-tip")).toBe("theirs");
  const chosen = merge(base, theirs, ours, { "flags/start-tip/owner": "mine" });
  expect(owner(chosen.document, "start-tip")).toBe("mine");
});

it("has no conflict if both made the same change", () => {
  const both = changed(base, "start-tip", "both");
  expect(merge(base, both, structuredClone(both)).conflicts).toEqual([]);
});

it("reports a conflict between a removal and a change", () => {
  const removed = withoutFlag(base, "start-tip");
  const alone = merge(base, base, removed);
  expect(alone.conflicts).toEqual([]);
  expect(owner(alone.document, "start-tip")).toBeUndefined();

  const theirs = changed(base, "start-tip", "theirs");
  const both = merge(base, theirs, removed);
  expect(both.conflicts).toHaveLength(1);
  expect(owner(both.document, "start-tip")).toBe("theirs");
  const result = merge(base, theirs, removed, { "flags/start-tip/": "mine" });
  expect(owner(result.document, "start-tip")).toBeUndefined();
});

it("merges metrics by key, and keeps a document without metrics", () => {
  const [first, ...rest] = base.metrics ?? [];
  if (!first) throw new Error("demo/flags.json has no metrics");
  const theirs = { ...base, metrics: [...rest, { ...first, unit: "theirs" }] };
  const own = { key: "mine", direction: "increase", kind: "sum" } as const;
  const ours = { ...base, metrics: [first, ...rest, own], clientMetrics: false };
  const { document, conflicts } = merge(base, theirs, ours);
  expect(conflicts).toEqual([]);
  expect(document.metrics?.find(({ key }) => key === first.key)?.unit).toBe("theirs");
  expect(document.metrics?.at(-1)).toEqual(own);
  expect(document.clientMetrics).toBe(false);
  const { metrics: _metrics, clientMetrics: _clients, ...without } = base;
  expect(merge(without, without, without).document).toEqual(without);
});

describe("two changes of one flag", () => {
  const always = (id: string, variation: string): Rule => ({
    id,
    when: { all: [] },
    serve: { variation },
  });
  const [first] = base.flags;
  if (!first) throw new Error("demo/flags.json has no flags");
  const [on = "", off = ""] = first.variations.map(({ key }) => key);
  const before: Flag = { ...first, rules: [always("a", on), always("b", on)] };
  const with_ = (change: Partial<Flag>) => withFlag(base, { ...before, ...change });
  const merged = (theirs: Partial<Flag>, mine: Partial<Flag>, sides = {}) => {
    const result = merge(with_({}), with_(theirs), with_(mine), sides);
    const flag = result.document.flags.find(({ key }) => key === before.key);
    return { flag, parts: result.conflicts.map(({ part }) => part), conflicts: result.conflicts };
  };
  const ids = (flag: Flag | undefined) => flag?.rules.map(({ id }) => id);

  it("are both kept if they affect different members", () => {
    const { flag, parts } = merged({ on: !before.on }, { owner: "mine", description: "mine" });
    expect(parts).toEqual([]);
    expect(flag).toEqual({ ...before, on: !before.on, owner: "mine", description: "mine" });
  });

  it("are both kept if they affect different rules", () => {
    const theirs = [always("a", off), always("b", on), always("new", off)];
    const ours = [always("mine", on), always("a", on), always("b", off)];
    const { flag, parts } = merged({ rules: theirs }, { rules: ours });
    expect(parts).toEqual([]);
    expect(flag?.rules).toEqual([
      always("mine", on),
      always("a", off),
      always("b", off),
      always("new", off),
    ]);
  });

  it("remove a rule that one side removed and the other did not change", () => {
    const { flag, parts } = merged(
      { rules: [always("b", on)] },
      { rules: [always("a", on), always("b", off)] },
    );
    expect(parts).toEqual([]);
    expect(flag?.rules).toEqual([always("b", off)]);
  });

  it("use the order of the side that changed it, and show both if both did", () => {
    const c = always("c", on);
    const turned = merged(
      { rules: [always("b", on), always("a", on)] },
      { rules: [...before.rules, c] },
    );
    expect(ids(turned.flag)).toEqual(["b", "c", "a"]);
    const three = { ...before, rules: [...before.rules, c] };
    const orders = (order: readonly string[]) =>
      withFlag(base, {
        ...three,
        rules: order.map((id) => always(id, on)),
      });
    const both = merge(withFlag(base, three), orders(["b", "a", "c"]), orders(["a", "c", "b"]));
    expect(both.conflicts.map(({ part }) => part)).toEqual(["rules"]);
  });

  it("conflict only in the rule that both changed", () => {
    const theirs = { rules: [always("a", off), always("b", on)], owner: "theirs" };
    const ours = { rules: [always("a", "other"), always("b", off)] };
    const { flag, parts, conflicts } = merged(theirs, ours);
    expect(parts).toEqual(["rules/a"]);
    expect(flag?.rules).toEqual([always("a", off), always("b", off)]);
    expect(conflicts[0]?.theirs).toEqual({ ...before, rules: [always("a", off), always("b", on)] });
    expect(conflicts[0]?.mine).toEqual({
      ...before,
      rules: [always("a", "other"), always("b", on)],
    });
    const chosen = merged(theirs, ours, { [`flags/${before.key}/rules/a`]: "mine" });
    expect(chosen.flag?.rules).toEqual([always("a", "other"), always("b", off)]);
    expect(chosen.flag?.owner).toBe("theirs");
  });
});
