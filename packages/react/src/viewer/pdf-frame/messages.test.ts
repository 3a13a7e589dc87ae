import { expect, it } from "vitest";
import { parseFromFrame } from "./messages";

it.each([
  { musette: "ready" },
  { musette: "failed" },
  { musette: "close" },
  { musette: "place", page: 2, pages: 17, drawn: true },
  { musette: "place", page: 2, pages: 17, drawn: false },
  { musette: "zoom", zoom: 1.7 },
  { musette: "need", name: "cmaps/UniJIS-UTF16-H.bcmap" },
  { musette: "need", name: "wasm/openjpeg.wasm" },
])("parses %o and drops unknown members", (message) => {
  expect(parseFromFrame({ ...message, more: "<b>" })).toEqual(message);
});

it.each([
  undefined,
  null,
  "ready",
  { musette: "open" },
  { musette: "place", page: 3, pages: 2 },
  { musette: "place", page: 1, pages: 1e9 },
  { musette: "place", page: 0.5, pages: 2 },
  { musette: "zoom", zoom: 100 },
  { musette: "zoom", zoom: Number.NaN },
  { musette: "zoom", zoom: "2" },
  { musette: "need", name: "../api/session/v1" },
  { musette: "need", name: "cmaps/../../api.json" },
  { musette: "need", name: "wasm/a/b.wasm" },
  { musette: "need", name: "https://evil.example/cmaps/a.bcmap" },
  { musette: "need", name: "cmaps/a.bcmap?x" },
])("ignores %o", (message) => {
  expect(parseFromFrame(message)).toBeUndefined();
});
