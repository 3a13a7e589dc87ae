import { describe, expect, it } from "vitest";
import type { EarlierVersion, Term } from "./term";
import { formerVersion, summariesSince } from "./versions";

const earlier = (id: number, material = true): EarlierVersion => ({
  id,
  version: id,
  label: null,
  locale: "en",
  sha256: `${id}`,
  material,
  summary: `Summary ${id}`,
});

function term(versions: readonly EarlierVersion[], summary?: string): Term {
  const rest = { title: "", content: "", mandatory: true, display_order: 1 };
  return { id: 9, ...rest, earlier_versions: versions, ...(summary && { summary }) };
}

describe("formerVersion", () => {
  it("returns the newest known version", () => {
    const versions = [earlier(3), earlier(2), earlier(1)];
    const former = (...ids: number[]) =>
      formerVersion(term(versions), (id) => ids.includes(id))?.id;
    expect(former(1)).toBe(1);
    expect(former(1, 2)).toBe(2);
    expect(former(3)).toBe(3);
    expect(former()).toBeUndefined();
    expect(former(9)).toBeUndefined();
  });

  it("skips known minor versions", () => {
    const versions = [earlier(4), earlier(3, false), earlier(2, false), earlier(1)];
    const former = (...ids: number[]) =>
      formerVersion(term(versions), (id) => ids.includes(id))?.id;
    expect(former(1, 2, 3)).toBe(1);
    expect(former(3)).toBe(3);
    expect(former(2, 3)).toBe(2);
  });

  it("returns undefined for a term without earlier versions", () => {
    const { earlier_versions: _, ...hosts } = term([]);
    expect(formerVersion(hosts, () => true)).toBeUndefined();
  });
});

it("summariesSince returns the summaries of all versions since the former one", () => {
  const current = term([earlier(3), earlier(2), earlier(1)], "Newest");
  const versions = current.earlier_versions ?? [];
  expect(summariesSince(current, versions[2])).toEqual(["Newest", "Summary 3", "Summary 2"]);
  expect(summariesSince(current, versions[0])).toEqual(["Newest"]);
  expect(summariesSince(current, undefined)).toEqual(["Newest"]);
  expect(summariesSince(term([]), undefined)).toEqual([]);
});
