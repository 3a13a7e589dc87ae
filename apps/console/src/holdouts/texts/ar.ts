import type { HoldoutsTexts } from "./texts";

export const ar: HoldoutsTexts = {
  title: "المجموعات المستبعدة",
};
