// @vitest-environment happy-dom
import { beforeEach, expect, it } from "vitest";
import { draftKeys, objectDraft } from "./object-draft";

beforeEach(() => localStorage.clear());

const at = (env: string, key: string) => objectDraft("flag", env, key);
const draft = (key: string) => ({ base: null, object: { key } });

it("keeps changes separately for each environment", () => {
  at("production", "b").write(draft("b"));
  at("production", "a/b").write(draft("a/b"));
  at("staging", "c").write(draft("c"));
  expect(draftKeys("flag", "production")).toEqual(["a/b", "b"]);
  expect(draftKeys("segment", "production")).toEqual([]);
  expect(at("production", "a/b").read()).toEqual(draft("a/b"));
  expect(at("staging", "b").read()).toBeUndefined();
  at("production", "b").write(undefined);
  expect(draftKeys("flag", "production")).toEqual(["a/b"]);
});

it("ignores stored values that it did not write", () => {
  localStorage.setItem("musette.console.flag/production/x", "{");
  localStorage.setItem("musette.console.flag/production/y", '{"object":{"key":"z"}}');
  localStorage.setItem("musette.console.flag/production/n", "null");
  expect(draftKeys("flag", "production")).toEqual([]);
});
