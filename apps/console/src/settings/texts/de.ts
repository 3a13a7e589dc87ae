import type { SettingsTexts } from "./texts";

export const de: SettingsTexts = {
  title: "Einstellungen",
};
