import { readStored, writeStored } from "../storage/storage";

export const appearances = ["system", "light", "dark"] as const;
export type Appearance = (typeof appearances)[number];

const REMEMBERED = "musette.appearance";

export function rememberedAppearance(): Appearance {
  const stored = readStored(REMEMBERED);
  return appearances.find((appearance) => appearance === stored) ?? "system";
}

/** All colours follow `color-scheme`, so one property switches the appearance. */
export function applyAppearance(appearance: Appearance): void {
  document.documentElement.style.colorScheme = appearance === "system" ? "" : appearance;
}

export function chooseAppearance(appearance: Appearance): void {
  applyAppearance(appearance);
  writeStored(REMEMBERED, appearance === "system" ? undefined : appearance);
}
