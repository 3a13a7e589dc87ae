import type { ConsentsTexts } from "./texts";

export const ar: ConsentsTexts = {
  title: "الموافقات",
};
