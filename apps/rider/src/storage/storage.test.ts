import { beforeEach, expect, it, vi } from "vitest";
import { readStored, writeStored } from "./storage";

beforeEach(() => writeStored("localStorage", "key", undefined));

it("keeps what is written for the next page", () => {
  const rows = new Map<string, string>();
  const setItem = (key: string, value: string) => void rows.set(key, value);
  vi.stubGlobal("localStorage", { getItem: (key: string) => rows.get(key) ?? null, setItem });
  writeStored("localStorage", "key", "value");
  expect(rows.get("key")).toBe("value");
  expect(readStored("localStorage", "key")).toBe("value");
});

it("keeps it for this page where storage is forbidden: the name alone throws", () => {
  const forbidden = {
    configurable: true,
    get: () => {
      throw new DOMException("forbidden", "SecurityError");
    },
  };
  Object.defineProperty(globalThis, "localStorage", forbidden);
  expect(readStored("localStorage", "key")).toBeUndefined();
  writeStored("localStorage", "key", "value");
  expect(readStored("localStorage", "key")).toBe("value");
  writeStored("localStorage", "key", undefined);
  expect(readStored("localStorage", "key")).toBeUndefined();
  Reflect.deleteProperty(globalThis, "localStorage");
});

it("keeps it for this page where storage is full, and over what an earlier one left", () => {
  const setItem = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  vi.stubGlobal("localStorage", { getItem: () => "old", setItem, removeItem: () => {} });
  writeStored("localStorage", "key", "new");
  expect(readStored("localStorage", "key")).toBe("new");
});
