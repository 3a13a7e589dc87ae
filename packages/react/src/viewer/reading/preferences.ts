import { useState } from "react";
import { clampZoom } from "../zoom";

const KEY = "mu-viewer-text";

export const SPACINGS = ["normal", "wide"] as const;
export const COLOURS = ["auto", "light", "dark"] as const;

/** The text settings of the user. */
export interface Preferences {
  readonly spacing: (typeof SPACINGS)[number];
  readonly colours: (typeof COLOURS)[number];
  /** The size of the text. 1 is the default size. */
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

/** Provides the text settings. They are stored on the device, because they contain no data about persons or documents. */
export function usePreferences(): Preferences {
  const [settings, setSettings] = useState(stored);
  return {
    spacing: SPACINGS.find((spacing) => spacing === settings.spacing) ?? "normal",
    colours: COLOURS.find((colour) => colour === settings.colours) ?? "auto",
    size: clampZoom(Number(settings.size) || 1),
    set(change) {
      const next = { ...settings, ...change };
      setSettings(next);
      try {
        localStorage.setItem(KEY, JSON.stringify(next));
      } catch {
        // Storage is blocked, so the settings apply until the viewer closes.
      }
    },
  };
}
