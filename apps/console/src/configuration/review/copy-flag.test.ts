import { expect, it } from "vitest";
import demo from "../../../../../demo/flags.json";
import type { FlagsDocument } from "../document/document";
import { copyFlag } from "./copy-flag";

const from = demo as unknown as FlagsDocument;
const empty: FlagsDocument = {
  ...from,
  environment: "staging",
  attributes: [],
  segments: [],
  layers: [],
  holdouts: [],
  flags: [],
};
const flag = (key: string) => {
  const existing = from.flags.find((flag) => flag.key === key);
  if (!existing) throw new Error(`demo/flags.json has no flag ${key}`);
  return existing;
};

it("copies what the flag needs, and no more", () => {
  const copied = copyFlag(from, empty, flag("quest-cards"));
  expect(copied.environment).toBe("staging");
  expect(copied.flags.map(({ key }) => key)).toEqual(["quest-cards"]);
  expect(copied.segments.map(({ key }) => key)).toEqual(["harbour-mentors"]);
  expect(copied.attributes.map(({ name }) => name)).toEqual(["town", "appVersion", "mentor"]);
});

it("copies the experiment's slot of its layer", () => {
  const copied = copyFlag(from, empty, flag("check-in-screen"));
  expect(copied.layers).toMatchObject([
    { key: "slot-screen", slots: [{ experiment: "check-in-screen", from: 0, to: 50000 }] },
  ]);
});

it("keeps the switch of the target environment", () => {
  const off = { ...empty, flags: [{ ...flag("quest-cards"), on: false, rules: [] }] };
  const copied = copyFlag(from, off, flag("quest-cards"));
  expect(copied.flags[0]).toMatchObject({ on: false, rules: flag("quest-cards").rules });
});
