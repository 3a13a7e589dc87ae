import { expect, it } from "vitest";
import { jsonError } from "./json-error";

it.each([
  ['{"a": 1}', undefined],
  ["true", undefined],
  ['{\n  "a": 1,\n  b: 2\n}', { line: 3, column: 3 }],
  ["", { line: 1, column: 1 }],
  ['{"a": [1, 2}', { line: 1, column: 12 }],
  ['{\n  "a": 1', { line: 2, column: 9 }],
  ['{\n  "a": [,\n  1]\n}', { line: 2, column: 9 }],
  ['{"a": "b\\x"}', { line: 1, column: 7 }],
  ["[1] 2", { line: 1, column: 5 }],
  ['{"a": 1,}', { line: 1, column: 9 }],
])("finds the error in %j at %j", (text, place) => {
  if (place) expect(jsonError(text)).toMatchObject(place);
  else expect(jsonError(text)).toBeUndefined();
});
