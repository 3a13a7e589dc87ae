import { expect, it } from "vitest";
import { type DraftBody, emptyDraft, type Finding } from "./draft";
import { needsReason, reasonsNeeded, withoutDuplicates } from "./obstacles";

const body = (findings?: readonly Finding[]): DraftBody => ({
  ...emptyDraft,
  variants: [
    {
      locale: "en",
      title: "Terms",
      document: { sha256: "a", bytes: 1, pages: 1, ...(findings && { findings }) },
    },
  ],
});
const error = (code: string, pointer = "/variants/0/document") => ({ pointer, code, detail: "" });

it("asks for a reason only where it helps", () => {
  const problems = [
    error("active_content"),
    error("unreadable_document"),
    error("missing", "/type"),
  ];
  expect([...reasonsNeeded(problems, body([]))]).toEqual(["active_content", "unreadable_document"]);
  expect([...reasonsNeeded([error("missing")], body([]))]).toEqual([]);
  // A document that was never examined cannot be accepted with a reason: it must be uploaded again.
  expect(needsReason(error("unreadable_document"), body())).toBe(false);
  expect(needsReason(error("unreadable_document", "/variants/7/document"), body([]))).toBe(false);
});

it("lists each thing to do once", () => {
  const twice = [error("active_content"), error("active_content"), error("unreadable_document")];
  expect(withoutDuplicates(twice)).toHaveLength(2);
});
