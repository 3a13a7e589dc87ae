import type { SettingsTexts } from "./texts";

export const en: SettingsTexts = {
  title: "Settings",
};
