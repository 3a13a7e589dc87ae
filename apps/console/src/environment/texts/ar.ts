import type { EnvironmentTexts } from "./texts";

export const ar: EnvironmentTexts = {
  environment: "البيئة",
  none: "لا توجد بيئة بعد.",
  noneHint:
    "تضم كل بيئة مجموعة واحدة من الأعلام، كبيئة الإنتاج أو الاختبار. يُنشئ المسؤول أول بيئة من الإعدادات.",
};
