import type { HoldoutsTexts } from "./texts";

export const en: HoldoutsTexts = {
  title: "Holdouts",
};
