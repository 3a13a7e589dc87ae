import type { MetricsTexts } from "./texts";

export const ar: MetricsTexts = {
  title: "المقاييس",
  intro: "مقاييس للتجارب والمجموعات المستبعدة",
  metric: "المقياس",
  measured: "يُقاس بوصفه",
  usedBy: "يستخدمه",
  change: "تغيير",
  unused: "غير مستخدم",
  declare: "إنشاء مقياس",
  empty: "لا مقاييس بعد",
  emptyHint:
    "المقياس المعلن يحدد أي اتجاه أفضل وكيف تصير القيم رقمًا واحدًا. ومنذ أول مقياس تُرفض القيم بأسماء أخرى.",
  editShort: "تعديل",
  undeclared: "مستلَمة وغير معرّفة",
  undeclaredHint: "استُلمت قيم بهذه الأسماء. عرّف كل مقياس لاستخدامه في النتائج.",
  declareShort: "تعريف المقياس",
  review: "مراجعة التغييرات",
  edit: (metric) => `تعديل ${metric}`,
  remove: (metric) => `إزالة ${metric}`,
  declareThis: (metric) => `الإعلان عن ${metric}`,
  divides: (metric) => `مقام \u2068${metric}\u2069`,
  saved: (version) => `حُفظ بصفته الإصدار ${version}.`,
  roles: { goal: "هدف", guardrail: "حماية", secondary: "ثانوي" },
};
