import type { PeopleTexts } from "./texts";

export const de: PeopleTexts = {
  title: "Personen",
};
