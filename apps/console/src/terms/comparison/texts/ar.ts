import type { ComparisonTexts } from "./texts";

export const ar: ComparisonTexts = {
  title: "تغييرات النص",
  show: (before, after) => `مقارنة \u2068${before}\u2069 بـ \u2068${after}\u2069`,
  thisDraft: "هذه المسودة",
  language: "اللغة",
  layout: "طريقة العرض",
  layouts: { inline: "مدمج", "side-by-side": "جنبًا إلى جنب" },
  onlyNow: (languages) => `لغات جديدة لم تُقارن: \u2068${languages}\u2069`,
  nothingInCommon: "ليس للنسختين لغة مشتركة.",
  sameFile: "الملفات متطابقة.",
};
