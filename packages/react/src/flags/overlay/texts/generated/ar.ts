// Generated from ar.arb by tools/texts. Do not edit.
import type { Texts } from "./texts";

const numbers = new Intl.NumberFormat("ar");

/** The words of ar.arb. */
export const texts: Texts = {
  lang: "ar",
  dir: "rtl",
  title: "أعلام الميزات",
  open: "عرض أعلام الميزات",
  close: "إغلاق",
  search: "بحث في الأعلام",
  nobody: "لم يُحدَّد أي مستخدم بعد.",
  person: "الشخص",
  version: "الإصدار",
  none: "لا توجد أعلام ميزات هنا.",
  why: "السبب",
  state: "الحالة",
  status: {
    fresh: "حديث",
    cached: "من الذاكرة المؤقتة",
    fallback: "لا جواب، تُعرض القيمة البديلة",
  },
  stored: "حُفظ",
  reads: "يعتمد على",
  here: "على هذا الجهاز",
  asDecided: "كما تقرر",
  apply: "تعيين",
  reset: "إعادة الضبط",
  resetAll: "إعادة ضبط الكل",
  changed: (n: number) => `غُيِّر هنا: ${numbers.format(n)}`,
  noJson: "هذا ليس JSON.",
  experiments: "التجارب",
  holdouts: "المجموعات المستبعدة",
  phase: "المرحلة",
  group: {
    HELD_OUT: "مستبعد",
    COMPARISON: "للمقارنة",
    GENERAL: "غير مستبعد",
  },
};
