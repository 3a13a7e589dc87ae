// @vitest-environment happy-dom
import { beforeEach, expect, it } from "vitest";
import { draftKeys, dropDraft, keepDraft, readDraft } from "./flag-draft";
import { newFlag } from "./new-flag-of";

beforeEach(() => localStorage.clear());

const draft = (key: string) => ({ base: null, flag: newFlag(key, "boolean"), version: 1 });

it("keeps what is being changed, each environment's apart", () => {
  keepDraft("production", draft("b"));
  const slashed = draft("a/b");
  keepDraft("production", slashed);
  keepDraft("staging", draft("c"));
  expect(draftKeys("production")).toEqual(["a/b", "b"]);
  expect(readDraft("production", "a/b")).toEqual(slashed);
  expect(readDraft("staging", "b")).toBeUndefined();
  dropDraft("production", "b");
  expect(draftKeys("production")).toEqual(["a/b"]);
});

it("reads nothing out of what it did not write", () => {
  localStorage.setItem("musette.console.flag/production/x", "{");
  localStorage.setItem("musette.console.flag/production/y", '{"flag":{"key":"z"}}');
  localStorage.setItem("musette.console.flag/production/n", "null");
  expect(draftKeys("production")).toEqual([]);
});
