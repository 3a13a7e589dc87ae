import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  breakpointOf,
  evaluationStatuses,
  questStatuses,
  shiftStates,
  statusColor,
} from "./constants";

const css = readFileSync(new URL("tokens.css", import.meta.url), "utf8");
const [fallbackText, schemesText] = css.split("@supports") as [string, string];
const PREFIX = "--mu-color-";

/** Returns the declarations of one of the two blocks, by name. */
function declarations(text: string): Map<string, string> {
  const matches = text.matchAll(/(--mu-color-[a-z-]+):\s*([^;]+);/g);
  return new Map(Array.from(matches, (match) => [match[1] ?? "", match[2] ?? ""]));
}

const fallbackColors = declarations(fallbackText);
const schemes = new Map(
  Array.from(declarations(schemesText), ([name, value]) => {
    const [light, dark] = value.match(/#[0-9a-f]{6}/g) ?? [];
    return [name, { light: light ?? "", dark: dark ?? "" }];
  }),
);

function color(name: string, scheme: "light" | "dark"): string {
  const referenced = fallbackColors.get(name)?.match(/^var\((.+)\)$/)?.[1];
  const value = schemes.get(referenced ?? name)?.[scheme];
  if (!value) throw new Error(`${name} has no ${scheme} value`);
  return value;
}

/** WCAG 2.2, relative luminance. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

describe.each(["light", "dark"] as const)("contrast, %s", (scheme) => {
  const ratio = (front: string, back: string) =>
    contrast(color(PREFIX + front, scheme), color(PREFIX + back, scheme));

  it.each([...shiftStates, ...evaluationStatuses, ...questStatuses])("%s", (status) => {
    const name = statusColor(status).slice(PREFIX.length);
    expect(ratio(name, `${name}-tint`)).toBeGreaterThanOrEqual(4.5);
    expect(ratio(name, "bg")).toBeGreaterThanOrEqual(5);
  });

  it.each(["bg", "surface", "sunken"])("text on %s", (background) => {
    expect(ratio("text", background)).toBeGreaterThanOrEqual(7);
    expect(ratio("text-muted", background)).toBeGreaterThanOrEqual(7);
    for (const name of ["accent", "danger"]) {
      expect(ratio(name, background)).toBeGreaterThanOrEqual(4.5);
    }
    // WCAG 1.4.11: the visible boundaries of controls.
    for (const name of ["control", "focus"]) {
      expect(ratio(name, background)).toBeGreaterThanOrEqual(3);
    }
  });

  it("filled and tinted backgrounds", () => {
    expect(ratio("on-accent", "accent")).toBeGreaterThanOrEqual(4.5);
    expect(ratio("on-danger", "danger")).toBeGreaterThanOrEqual(4.5);
    expect(ratio("accent", "accent-tint")).toBeGreaterThanOrEqual(4.5);
    expect(ratio("danger", "danger-tint")).toBeGreaterThanOrEqual(4.5);
    expect(ratio("text", "danger-tint")).toBeGreaterThanOrEqual(7);
  });
});

it("gives old browsers the light values", () => {
  for (const [name, { light }] of schemes) expect(fallbackColors.get(name)).toBe(light);
  for (const [name, value] of fallbackColors) {
    if (value.startsWith("#")) expect(schemes.has(name), name).toBe(true);
  }
});

it("assigns a width on a bound to the wider range", () => {
  expect([0, 767, 768, 991, 992, 1199, 1200].map(breakpointOf)).toEqual([
    "mobile",
    "mobile",
    "tablet",
    "tablet",
    "desktop",
    "desktop",
    "largeDesktop",
  ]);
});
