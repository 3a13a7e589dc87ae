import { expect, it } from "vitest";
import demo from "../../../../../demo/flags.json";
import { type FlagsDocument, withFlag, withoutFlag } from "../document/document";
import { merge } from "./merge";

const base = demo as unknown as FlagsDocument;

function changed(document: FlagsDocument, key: string, owner: string): FlagsDocument {
  const flag = document.flags.find((it) => it.key === key);
  if (!flag) throw new Error(`demo/flags.json has lost ${key}`);
  return withFlag(document, { ...flag, owner });
}
const owner = (document: FlagsDocument, key: string) =>
  document.flags.find((it) => it.key === key)?.owner;

it("puts changes of different flags together", () => {
  const theirs = { ...changed(base, "start-tip", "theirs"), version: 2 };
  const { document, conflicts } = merge(base, theirs, changed(base, "cash-orders", "mine"));
  expect(conflicts).toEqual([]);
  expect(document.version).toBe(2);
  expect(owner(document, "start-tip")).toBe("theirs");
  expect(owner(document, "cash-orders")).toBe("mine");
});

it("keeps theirs where both changed one flag, until somebody says otherwise", () => {
  const theirs = changed(base, "start-tip", "theirs");
  const mine = changed(base, "start-tip", "mine");
  const first = merge(base, theirs, mine);
  expect(first.conflicts).toMatchObject([{ section: "flags", key: "start-tip" }]);
  expect(owner(first.document, "start-tip")).toBe("theirs");
  const chosen = merge(base, theirs, mine, { "flags/start-tip": "mine" });
  expect(owner(chosen.document, "start-tip")).toBe("mine");
});

it("is no conflict when both have done the same", () => {
  const both = changed(base, "start-tip", "both");
  expect(merge(base, both, structuredClone(both)).conflicts).toEqual([]);
});

it("knows one that was removed from one that was changed", () => {
  const removed = withoutFlag(base, "start-tip");
  const alone = merge(base, base, removed);
  expect(alone.conflicts).toEqual([]);
  expect(owner(alone.document, "start-tip")).toBeUndefined();

  const theirs = changed(base, "start-tip", "theirs");
  const both = merge(base, theirs, removed);
  expect(both.conflicts).toHaveLength(1);
  expect(owner(both.document, "start-tip")).toBe("theirs");
  const gone = merge(base, theirs, removed, { "flags/start-tip": "mine" });
  expect(owner(gone.document, "start-tip")).toBeUndefined();
});

it("merges metrics by their keys, and keeps a document without them as it was", () => {
  const [first, ...rest] = base.metrics ?? [];
  if (!first) throw new Error("demo/flags.json has lost its metrics");
  const theirs = { ...base, metrics: [...rest, { ...first, unit: "theirs" }] };
  const own = { key: "mine", direction: "increase", kind: "sum" } as const;
  const mine = { ...base, metrics: [first, ...rest, own], clientMetrics: false };
  const { document, conflicts } = merge(base, theirs, mine);
  expect(conflicts).toEqual([]);
  expect(document.metrics?.find(({ key }) => key === first.key)?.unit).toBe("theirs");
  expect(document.metrics?.at(-1)).toEqual(own);
  expect(document.clientMetrics).toBe(false);
  const { metrics: _metrics, clientMetrics: _clients, ...without } = base;
  expect(merge(without, without, without).document).toEqual(without);
});
