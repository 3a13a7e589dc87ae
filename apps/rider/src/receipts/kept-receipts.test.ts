// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from "vitest";
import { applicantReceipts, keepReceipt, keptReceipt } from "./kept-receipts";
import type { KeptReceipt } from "./receipt";

const receipt = (id: string, userId = ""): KeptReceipt => ({
  id,
  userId,
  root: id,
  recordedAt: "2026-11-21T09:30:00.000Z",
  decisions: [],
});

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

it("keeps an applicant's receipts on the device, newest first", () => {
  keepReceipt(receipt("a"));
  keepReceipt(receipt("b"));
  keepReceipt(receipt("a"));
  expect(applicantReceipts().map(({ id }) => id)).toEqual(["a", "b"]);
});

it("keeps a rider's in the tab, and shows it to nobody else", () => {
  keepReceipt(receipt("a", "r1"));
  expect(localStorage.length).toBe(0);
  expect(keptReceipt("a", "r1")?.id).toBe("a");
  expect(keptReceipt("a", "r2")).toBeUndefined();
  expect(keptReceipt("a", undefined)).toBeUndefined();
});

it("starts anew where the storage holds something else", () => {
  localStorage.setItem("musette.receipts", "{not json");
  expect(applicantReceipts()).toEqual([]);
});

it("goes on where the storage is full", () => {
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  expect(() => keepReceipt(receipt("a"))).not.toThrow();
});
