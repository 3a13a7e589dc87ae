import type { ComparisonTexts } from "./texts";

export const ar: ComparisonTexts = {
  title: "ما تغيّر في النص",
  show: (before, after) => `مقارنة النصين: ${before} و${after}`,
  thisDraft: "هذه المسودة",
  language: "اللغة",
  layout: "طريقة العرض",
  layouts: { inline: "نص واحد", "side-by-side": "جنبًا إلى جنب" },
  onlyNow: (languages) => `جديدة في هذه النسخة ولا شيء لمقارنتها: ${languages}.`,
  nothingInCommon: "ليس للنسختين لغة مشتركة يمكن مقارنتها.",
  sameFile: "إنه الملف نفسه تمامًا.",
};
