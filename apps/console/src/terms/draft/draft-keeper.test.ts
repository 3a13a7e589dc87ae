import { HttpError } from "@musette/client/http";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Field, Side } from "./difference";
import { bodyOf, type Draft, type DraftBody, emptyDraft, withDocumentsOf } from "./draft";
import { DraftKeeper, type Unsaved } from "./draft-keeper";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const first: Draft = {
  ...emptyDraft,
  type: "FREELANCER",
  variants: [{ locale: "en", title: "Handbook" }],
  id: "d1",
  revision: 1,
  updated_at: "2026-11-21T12:00:00Z",
  sha256: "",
};

/** A server with one draft, which another person may change as well. */
function world(unsaved?: Unsaved, stored = first) {
  const server = {
    stored,
    remembered: unsaved,
    isDown: false,
    sent: [] as DraftBody[],
    change(body: DraftBody) {
      server.stored = { ...server.stored, ...body, revision: server.stored.revision + 1 };
      return server.stored;
    },
  };
  const answer = <T>(of: () => T) =>
    server.isDown ? Promise.reject(new TypeError("Failed to fetch")) : Promise.resolve(of());
  const keeper = new DraftKeeper(
    {
      read: () => answer(() => server.stored),
      write: (body, revision) =>
        answer(() => {
          if (revision !== server.stored.revision)
            throw new HttpError(new Response(null, { status: 412 }));
          server.sent.push(body);
          return server.change(withDocumentsOf(body, server.stored));
        }),
      remember: (next) => {
        server.remembered = next;
      },
    },
    stored,
    unsaved,
  );
  keeper.start();
  return { it: server, keeper, kind: () => keeper.now().keeping.kind };
}

const summary = (text: string) => (body: DraftBody) => ({ ...body, summary: text });
const typed = () => vi.advanceTimersByTimeAsync(1_000);

it("saves when typing pauses, and not for each letter", async () => {
  const { it, keeper, kind } = world();
  for (const text of ["C", "Cl", "Clearer"]) {
    keeper.edit(summary(text));
    await vi.advanceTimersByTimeAsync(100);
  }
  expect([it.sent.length, kind()]).toEqual([0, "unsaved"]);
  expect(it.remembered?.body.summary).toBe("Clearer");
  await typed();
  expect(it.sent.map((body) => body.summary)).toEqual(["Clearer"]);
  expect([kind(), it.remembered]).toEqual(["saved", undefined]);
});

it("keeps typed text without a connection, and saves it when there is one", async () => {
  const { it, keeper, kind } = world();
  it.isDown = true;
  keeper.edit(summary("Clearer"));
  await typed();
  expect([kind(), it.remembered?.body.summary]).toEqual(["offline", "Clearer"]);
  it.isDown = false;
  await vi.advanceTimersByTimeAsync(6_000);
  expect([kind(), it.stored.summary]).toEqual(["saved", "Clearer"]);
});

it("restores unsaved text after a reload", async () => {
  const { it, keeper } = world({ base: first, body: { ...bodyOf(first), summary: "Clearer" } });
  expect(keeper.now().body.summary).toBe("Clearer");
  await typed();
  expect(it.stored.summary).toBe("Clearer");
});

it("shows another person's changes, and saves the chosen sides", async () => {
  const { it, keeper } = world();
  it.change({ ...bodyOf(first), summary: "Theirs", mandatory: false });
  keeper.edit(summary("Mine"));
  await typed();
  const { keeping } = keeper.now();
  if (keeping.kind !== "conflict") throw new Error(keeping.kind);
  const all = keeper.differences(keeping.theirs);
  expect(all.map(({ field, preferred }) => [field, preferred])).toEqual([
    ["mandatory", "theirs"],
    ["summary", "mine"],
  ]);
  expect(it.sent).toEqual([]);
  const chosen = new Map<Field, Side>(all.map(({ field, preferred }) => [field, preferred]));
  await keeper.resolve(keeping.theirs, chosen);
  expect(it.stored).toMatchObject({ summary: "Mine", mandatory: false, revision: 3 });
  expect(keeper.now().keeping.kind).toBe("saved");
});

it("asks nothing if both made the same change", async () => {
  const { it, keeper, kind } = world();
  it.change({ ...bodyOf(first), summary: "The same" });
  keeper.edit(summary("The same"));
  await typed();
  expect([kind(), it.sent, it.remembered]).toEqual(["saved", [], undefined]);
});

it("compares restored text with another person's newer version", async () => {
  const unsaved = { base: first, body: { ...bodyOf(first), summary: "Mine" } };
  const { keeper } = world(unsaved, { ...first, mandatory: false, revision: 2 });
  const { keeping } = keeper.now();
  if (keeping.kind !== "conflict") throw new Error(keeping.kind);
  expect(keeper.differences(keeping.theirs)).toHaveLength(2);
});

it("saves before an upload, and delays text that is typed during it", async () => {
  const { it, keeper, kind } = world();
  keeper.edit(summary("Before"));
  let finish = () => {};
  const upload = keeper.change(async (stored) => {
    expect([stored.revision, it.stored.summary]).toEqual([2, "Before"]);
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    const document = { sha256: "ab", bytes: 1, pages: 1 };
    return it.change({
      ...bodyOf(stored),
      variants: [{ locale: "en", title: "Handbook", document }],
    });
  });
  await typed();
  keeper.edit(summary("During"));
  await typed();
  expect([it.sent.length, kind()]).toEqual([1, "unsaved"]);
  finish();
  await upload;
  expect(keeper.now().body.variants[0]?.document?.sha256).toBe("ab");
  await typed();
  expect([it.stored.summary, it.stored.variants[0]?.document?.sha256]).toEqual(["During", "ab"]);
});

it("does not ask when an upload failed without another change", async () => {
  const { it, keeper, kind } = world();
  const upload = keeper.change(async () => {
    keeper.edit(summary("During"));
    throw new DOMException("cancelled", "AbortError");
  });
  await expect(upload).rejects.toThrow("cancelled");
  await typed();
  expect([it.stored.summary, kind()]).toEqual(["During", "saved"]);
});

it("saves on top of another person's upload without asking", async () => {
  const { it, keeper, kind } = world();
  const document = { sha256: "ab", bytes: 1, pages: 1 };
  it.change({ ...bodyOf(first), variants: [{ locale: "en", title: "Handbook", document }] });
  keeper.edit(summary("Mine"));
  await typed();
  await typed();
  expect([it.stored.summary, kind()]).toEqual(["Mine", "saved"]);
  expect(keeper.now().body.variants[0]?.document?.sha256).toBe("ab");
});
