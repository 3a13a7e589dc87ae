import type { PeopleTexts } from "./texts";

export const en: PeopleTexts = {
  title: "People",
};
