import { beforeEach, expect, it, vi } from "vitest";
import { readStored, survivesReload, writeStored } from "./storage";

beforeEach(() => writeStored("localStorage", "key", undefined));

it("keeps a value for the next page", () => {
  const rows = new Map<string, string>();
  const setItem = (key: string, value: string) => void rows.set(key, value);
  vi.stubGlobal("localStorage", { getItem: (key: string) => rows.get(key) ?? null, setItem });
  writeStored("localStorage", "key", "value");
  expect(rows.get("key")).toBe("value");
  expect(readStored("localStorage", "key")).toBe("value");
});

it("keeps a value for this page if storage is forbidden, where even the name throws", () => {
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

it("keeps a value for this page if storage is full, over an earlier value", () => {
  const setItem = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  vi.stubGlobal("localStorage", { getItem: () => "old", setItem, removeItem: () => {} });
  writeStored("localStorage", "key", "new");
  expect(readStored("localStorage", "key")).toBe("new");
});

it("reports whether a value survives the page", () => {
  const rows = new Map<string, string>();
  let room = 10;
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => rows.get(key) ?? null,
    removeItem: (key: string) => void rows.delete(key),
    setItem(key: string, value: string) {
      if (value.length > room) throw new DOMException("full", "QuotaExceededError");
      rows.set(key, value);
    },
  });
  expect(survivesReload("localStorage", "key")).toBe(true);
  expect(rows.size).toBe(0);
  writeStored("localStorage", "key", "longer than ten");
  expect(survivesReload("localStorage", "key")).toBe(false);
  writeStored("localStorage", "key", "short");
  expect(survivesReload("localStorage", "key")).toBe(true);
  room = 0;
  expect(survivesReload("localStorage", "key")).toBe(false);
});
