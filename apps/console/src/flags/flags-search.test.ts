import { expect, it } from "vitest";
import demo from "../../../../demo/flags.json";
import type { FlagsDocument } from "../configuration/document/document";
import { sorted } from "../table/sort";
import { readFlagsSearch } from "./flags-search";
import { listFlags, SORTED_BY, tagsAndOwners } from "./list-flags";

const { flags } = demo as unknown as FlagsDocument;
const keys = (search: Record<string, unknown>, stale: readonly string[] = []) => {
  const read = readFlagsSearch(search);
  const listed = listFlags(flags, read, new Set(stale));
  return sorted(listed, read.sort ?? "key", SORTED_BY, "en").map(({ key }) => key);
};

it("reads any address, and drops invalid parameters", () => {
  expect(
    readFlagsSearch({ q: " a b ", tag: 2026, state: "on", sort: "up", type: "date", owner: {} }),
  ).toEqual({ q: "a b", tag: "2026", state: "on" });
  expect(readFlagsSearch({ sort: "-on", q: true })).toEqual({ sort: "-on", q: "true" });
});

it("matches every word in keys, tags and owners", () => {
  expect(keys({ q: "quest" })).toEqual(["quest-cards", "quests-service"]);
  expect(keys({ q: "QUEST rider" })).toEqual(["quest-cards"]);
  expect(keys({ tag: "safety" })).toEqual(["break-reminder-minutes", "e-bike-checklist"]);
  expect(keys({ owner: "legal" })).toEqual(["receipt-export"]);
  expect(keys({ type: "json" })).toEqual(["support-chat"]);
});

it("filters by on, off, stale and archived", () => {
  expect(keys({ state: "off" })).toEqual(["cash-orders"]);
  expect(keys({ state: "stale" }, ["start-tip"])).toEqual(["start-tip"]);
  expect(keys({ state: "archived" })).toEqual([]);
  const archived = flags.map((flag) => ({ ...flag, archived: flag.key === "start-tip" }));
  expect(listFlags(archived, { state: "archived" }, new Set()).map(({ key }) => key)).toEqual([
    "start-tip",
  ]);
  expect(listFlags(archived, {}, new Set())).toHaveLength(flags.length - 1);
});

it("sorts by key in both directions, by owner and by state", () => {
  expect(keys({}).at(0)).toBe("break-reminder-minutes");
  expect(keys({ sort: "-key" }).at(0)).toBe("support-chat");
  expect(keys({ sort: "owner" }).at(0)).toBe("e-bike-checklist");
  expect(keys({ sort: "on" }).at(0)).toBe("cash-orders");
});

it("offers each tag and owner once", () => {
  const { tags, owners } = tagsAndOwners(flags);
  expect(tags.filter((tag) => tag === "quests")).toHaveLength(1);
  expect(owners).toEqual([...owners].sort());
});
