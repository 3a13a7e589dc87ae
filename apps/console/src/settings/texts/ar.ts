import type { SettingsTexts } from "./texts";

export const ar: SettingsTexts = {
  title: "الإعدادات",
};
