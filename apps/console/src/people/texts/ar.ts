import type { PeopleTexts } from "./texts";

export const ar: PeopleTexts = {
  title: "الأشخاص",
};
