import type { MetricsTexts } from "./texts";

export const ar: MetricsTexts = {
  title: "المقاييس",
  intro: "ما يُقاس من الأشخاص، وأي اتجاه أفضل، وأين يُحتكم إليه.",
  metric: "المقياس",
  measured: "يُقاس بوصفه",
  usedBy: "يستخدمه",
  change: "تغيير",
  unused: "لا شيء بعد",
  declare: "الإعلان عن مقياس",
  empty: "لم يُعلن عن أي مقياس بعد.",
  emptyHint:
    "المقياس المعلن يحدد أي اتجاه أفضل وكيف تصير القيم رقمًا واحدًا. ومنذ أول مقياس تُرفض القيم بأسماء أخرى.",
  editShort: "تعديل",
  undeclared: "مبلَّغ عنها وغير معلنة",
  undeclaredHint: "وصلت قيم بهذه الأسماء. وما لم يُعلن عنها فلا شيء يحدد أي اتجاه أفضل.",
  declareShort: "إعلان",
  review: "مراجعة التغيير",
  edit: (metric) => `تعديل ${metric}`,
  remove: (metric) => `إزالة ${metric}`,
  declareThis: (metric) => `الإعلان عن ${metric}`,
  divides: (metric) => `يُقسم عليه ${metric}`,
  saved: (version) => `حُفظ بصفته الإصدار ${version}.`,
  roles: { goal: "هدف", guardrail: "حماية", secondary: "ثانوي" },
};
