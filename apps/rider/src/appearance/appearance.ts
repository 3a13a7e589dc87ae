import { readStored, writeStored } from "../storage/storage";

export const appearances = ["system", "light", "dark"] as const;
export type Appearance = (typeof appearances)[number];

const REMEMBERED = "musette.appearance";

export function rememberedAppearance(): Appearance {
  const stored = readStored("localStorage", REMEMBERED);
  return appearances.find((appearance) => appearance === stored) ?? "system";
}

/** Sets the appearance. All colours depend on `color-scheme`, so one property switches the whole app. */
export function applyAppearance(appearance: Appearance): void {
  document.documentElement.style.colorScheme = appearance === "system" ? "" : appearance;
  // The browser's toolbar (`theme-color`) uses the chosen appearance instead of the device's setting.
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const scheme = meta.dataset.scheme ?? (meta.media.includes("dark") ? "dark" : "light");
    meta.dataset.scheme = scheme;
    if (appearance === "system") meta.media = `(prefers-color-scheme: ${scheme})`;
    else meta.media = scheme === appearance ? "all" : "not all";
  }
}

export function rememberAppearance(appearance: Appearance): void {
  writeStored("localStorage", REMEMBERED, appearance === "system" ? undefined : appearance);
}

export function nextAppearance(appearance: Appearance): Appearance {
  return appearances[(appearances.indexOf(appearance) + 1) % appearances.length] ?? "system";
}
