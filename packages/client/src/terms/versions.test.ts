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
  it("is the newest that is known, however many came since", () => {
    const versions = [earlier(3), earlier(2), earlier(1)];
    const known = (...ids: number[]) => formerVersion(term(versions), (id) => ids.includes(id))?.id;
    expect(known(1)).toBe(1);
    expect(known(1, 2)).toBe(2);
    expect(known(3)).toBe(3);
    expect(known()).toBeUndefined();
    expect(known(9)).toBeUndefined();
  });

  it("goes back from a minor version to the text that was agreed to", () => {
    const versions = [earlier(4), earlier(3, false), earlier(2, false), earlier(1)];
    const known = (...ids: number[]) => formerVersion(term(versions), (id) => ids.includes(id))?.id;
    expect(known(1, 2, 3)).toBe(1);
    expect(known(3)).toBe(3);
    expect(known(2, 3)).toBe(2);
  });

  it("is none of a term that says nothing of other versions", () => {
    const { earlier_versions: _, ...hosts } = term([]);
    expect(formerVersion(hosts, () => true)).toBeUndefined();
  });
});

it("summariesSince tells of each version that came since", () => {
  const of = term([earlier(3), earlier(2), earlier(1)], "Newest");
  const versions = of.earlier_versions ?? [];
  expect(summariesSince(of, versions[2])).toEqual(["Newest", "Summary 3", "Summary 2"]);
  expect(summariesSince(of, versions[0])).toEqual(["Newest"]);
  expect(summariesSince(of, undefined)).toEqual(["Newest"]);
  expect(summariesSince(term([]), undefined)).toEqual([]);
});
