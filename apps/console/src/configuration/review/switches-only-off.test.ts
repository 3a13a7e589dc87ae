import { expect, it } from "vitest";
import demo from "../../../../../demo/flags.json";
import { type Flag, type FlagsDocument, withFlag } from "../document/document";
import { onlySwitchesOff } from "./switches-only-off";

const before = demo as unknown as FlagsDocument;
const changed = (of: (flag: Flag) => boolean, change: Partial<Flag>) => {
  const flag = before.flags.find(of);
  if (!flag) throw new Error("demo/flags.json has lost such a flag");
  return withFlag(before, { ...flag, ...change });
};

it("is true if flags are only switched off, or nothing differs", () => {
  expect(
    onlySwitchesOff(
      before,
      changed((flag) => flag.on, { on: false }),
    ),
  ).toBe(true);
  expect(onlySwitchesOff(before, structuredClone(before))).toBe(true);
});

it("is false if anything else differs", () => {
  const off = changed((flag) => flag.on, { on: false });
  const isOn = changed((flag) => !flag.on, { on: true });
  const renamed = changed((flag) => flag.on, { on: false, description: "Another" });
  const copy = off.flags.slice(0, 1).map((flag) => ({ ...flag, key: "new", on: false }));
  const created = { ...off, flags: [...off.flags, ...copy] };
  const fewer = { ...off, flags: off.flags.slice(1) };
  for (const after of [isOn, renamed, created, fewer, { ...off, segments: [] }]) {
    expect(onlySwitchesOff(before, after)).toBe(false);
  }
});
