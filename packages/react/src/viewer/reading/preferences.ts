import { useState } from "react";
import { clampZoom } from "../zoom";

const KEY = "mu-viewer-text";

export const SPACINGS = ["normal", "wide"] as const;
export const COLOURS = ["auto", "light", "dark"] as const;

/** How somebody likes to read. */
export interface Preferences {
  readonly spacing: (typeof SPACINGS)[number];
  readonly colours: (typeof COLOURS)[number];
  /** The size of the text: 1 is the usual one. */
  readonly size: number;
  readonly set: (change: Partial<Omit<Preferences, "set">>) => void;
}

function stored() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}

/** Kept on the device: they say nothing about a person or a document. */
export function usePreferences(): Preferences {
  const [chosen, choose] = useState(stored);
  return {
    spacing: SPACINGS.find((it) => it === chosen.spacing) ?? "normal",
    colours: COLOURS.find((it) => it === chosen.colours) ?? "auto",
    size: clampZoom(Number(chosen.size) || 1),
    set(change) {
      const next = { ...chosen, ...change };
      choose(next);
      try {
        localStorage.setItem(KEY, JSON.stringify(next));
      } catch {
        // They then last until the viewer closes.
      }
    },
  };
}
