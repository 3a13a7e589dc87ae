import type { HoldoutsTexts } from "./texts";

export const de: HoldoutsTexts = {
  title: "Holdouts",
};
