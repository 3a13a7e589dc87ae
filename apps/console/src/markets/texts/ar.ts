import type { MarketsTexts } from "./texts";

export const ar: MarketsTexts = {
  title: "الأسواق",
  intro:
    "السوق هو مكان عمل الشخص: بلد أو جزء منه أو مكان خاص بكم. والشرط الخاص بسوق يسري على كل من فيه.",
  market: "السوق",
  all: "كل الأسواق",
  add: "إضافة سوق",
  edit: "تعديل",
  editThis: (code) => `تعديل \u2068${code}\u2069`,
  save: "حفظ",
  saved: (code) => `حُفظ \u2068${code}\u2069.`,
  change: "تغيير",
  code: "الرمز",
  codeHint:
    "\u2066DE\u2069 أو \u2066DE-BE\u2069 أو \u2066DE-BE.berlin\u2069: بلد أو قسم منه أو مكان.",
  noCode: "ليس هذا رمز سوق.",
  taken: "هذا الرمز موجود.",
  name: "الاسم",
  nameHint: "كما يسميه الناس عندكم. للبلد اسمه من تلقاء نفسه.",
  timezone: "المنطقة الزمنية",
  timezoneHint: "مثل \u2066Europe/Berlin\u2069.",
  people: "الأشخاص",
  terms: "الشروط",
  none: "لم يُعلن عن أي سوق.",
  noneHint: "لا حاجة إليه ما دامت الشروط نفسها للجميع. ويمكن استخدام البلدان دون إعلان.",
  remove: "إزالة",
  removeThis: (code) => `إزالة \u2068${code}\u2069`,
  removeAsk: (code) => `إزالة \u2068${code}\u2069؟`,
  removeHint: "لا يمكن ذلك إلا حين لا يستخدمه أي شخص ولا أي شرط.",
  removed: (code) => `أُزيل \u2068${code}\u2069.`,
};
