// @vitest-environment happy-dom
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterAll, expect, it, vi } from "vitest";
import { en } from "../language/texts/en";
import { InstantField } from "./instant-field";
import { replacedTime } from "./skipped-time";

vi.mock("../language/language-context", () => ({
  useLanguage: () => ({ texts: en, language: { tag: "en" } }),
}));
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
const { TZ } = process.env;
process.env.TZ = "Europe/Berlin";
afterAll(() => {
  process.env.TZ = TZ;
});

it("knows the hour that the clocks skip, and no other", () => {
  expect(replacedTime("2027-03-28T02:30")).toBe("2027-03-28T03:30");
  for (const local of [
    "2027-03-28T01:59",
    "2027-03-28T03:00",
    "2027-10-31T02:30",
    "2027-03-28",
    "",
  ]) {
    expect(replacedTime(local), local).toBeUndefined();
  }
});

it("names a skipped time beside the field", async () => {
  const host = document.body.appendChild(document.createElement("div"));
  const root = createRoot(host);
  let value = "";
  const draw = () =>
    act(async () =>
      root.render(
        <InstantField
          label="When"
          value={value}
          onChange={(instant) => {
            value = instant;
          }}
        />,
      ),
    );
  const type = async (local: string) => {
    const input = host.querySelector("input") as HTMLInputElement;
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
    await act(async () => {
      set?.call(input, local);
      input.dispatchEvent(new Event("input", { bubbles: true }));
    });
    await draw();
  };
  await draw();
  await type("2027-03-28T02:30");
  expect(value).toBe("2027-03-28T01:30:00.000Z");
  expect(host.querySelector("[aria-live]")?.textContent).toBe(
    "The clocks in Europe/Berlin skip 02:30 on this day. 03:30 is used.",
  );
  await type("2027-03-28T04:30");
  expect(host.querySelector("[aria-live]")?.textContent).toBe("");
  await act(async () => root.unmount());
});
