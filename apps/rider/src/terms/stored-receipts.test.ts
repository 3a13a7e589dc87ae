// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from "vitest";
import type { StoredReceipt } from "./receipt";
import {
  applicantReceipts,
  applications,
  removeApplication,
  storedReceipt,
  storeReceipt,
} from "./stored-receipts";

const receipt = (id: string, userId = ""): StoredReceipt => ({
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
  storeReceipt(receipt("a"));
  storeReceipt(receipt("b"));
  storeReceipt(receipt("a"));
  expect(applicantReceipts().map(({ id }) => id)).toEqual(["a", "b"]);
});

it("keeps a rider's receipts in the tab, only for that rider", () => {
  storeReceipt(receipt("a", "r1"));
  expect(localStorage.length).toBe(0);
  expect(storedReceipt("a", "r1")?.id).toBe("a");
  expect(storedReceipt("a", "r2")).toBeUndefined();
  expect(storedReceipt("a", undefined)).toBeUndefined();
});

it("starts from zero if the storage contains something else", () => {
  localStorage.setItem("musette.receipts", "{not json");
  expect(applicantReceipts()).toEqual([]);
});

it("continues if the storage is full", () => {
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  expect(() => storeReceipt(receipt("a"))).not.toThrow();
});

it("separates two applicants on one phone, and forgets only the chosen one", () => {
  const decided = (id: string, root: string, recordedAt: string): StoredReceipt => ({
    ...receipt(id),
    root,
    recordedAt,
    decisions: [{ termId: 1, accepted: true, recordedAt, receiptId: id }],
  });
  storeReceipt(decided("a", "a", "2026-11-20T09:00:00.000Z"));
  storeReceipt(decided("b", "b", "2026-11-21T09:00:00.000Z"));
  storeReceipt(decided("a2", "a", "2026-11-22T09:00:00.000Z"));
  const summarise = () =>
    applications().map(({ root, decisions }) => [
      root,
      decisions.map((decision) => decision.receiptId),
    ]);
  expect(summarise()).toEqual([
    ["b", ["b"]],
    ["a", ["a2", "a"]],
  ]);
  removeApplication("a");
  expect(summarise()).toEqual([["b", ["b"]]]);
  expect(storedReceipt("a2", undefined)).toBeUndefined();
});
