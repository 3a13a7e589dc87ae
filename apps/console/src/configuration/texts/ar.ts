import type { ConfigurationTexts } from "./texts";

/** Keys are mostly Latin: each is set apart, so that it does not pull what stands beside it along. */
const apart = (text: string) => `\u2068${text}\u2069`;

export const ar: ConfigurationTexts = {
  environment: "البيئة",
  none: "لا توجد بيئة بعد.",
  noneIsMine: "لا توجد بيئة ضمن دورك.",
  notThere: (missing, env) => `لا توجد هنا بيئة ${missing}، أو أنها ليست ضمن دورك. هذه ${env}.`,
  noneHint: "تضم كل بيئة مجموعة واحدة من الأعلام، كبيئة الإنتاج أو الاختبار.",
  addFirst: "إضافة أول بيئة",
  askAdmin: "يضيف المسؤول أول بيئة من الإعدادات.",
  keyForm: "من 1 إلى 100 من الحروف اللاتينية الصغيرة والأرقام والنقاط والشرطات، ويبدأ بحرف أو رقم.",
  tabs: { label: "الأعلام", flags: "الأعلام" },
  flag: "العلم",
  comment: "تعليق",
  showChanges: "عرض ما سيتغير",
  reverted: (version) => `عاد كل شيء كما في الإصدار ${version}.`,
  notReverted: "لم يتم التراجع: غيّر شخص آخر شيئًا منذ ذلك الحين. راجع السجل.",
  planTitle: "جدولة تغيير",
  planWhat: "ما الذي يجب أن يحدث",
  whats: { on: "تفعيله", off: "تعطيله", edited: "حفظه كما هو قيد التعديل الآن" },
  planned: {
    on: (flag) => `تفعيل ${flag}`,
    off: (flag) => `تعطيل ${flag}`,
    edited: (flag) => `تعديل ${flag}`,
  },
  planAt: "متى",
  inZone: (zone) => `بتوقيت ${apart(zone)}.`,
  planHint:
    "يبقى كل ما يغيّره الآخرون حتى ذلك الحين. وإذا عدّل أحدهم هذا العلم نفسه، يُرفض التغيير المُجدول بدل أن يُبطل تعديله.",
  planIt: "جدولة",
  isPlanned: "تمت الجدولة. تجد التغيير ضمن «المُجدول» حيث يمكن إلغاؤه.",
  isPlannedIfApproved: "تمت الجدولة. يجب أن يعتمده الزملاء قبل ذلك الوقت: ينتظر ضمن «الاعتمادات».",

  copyTitle: (flag) => `نسخ ${apart(flag)}`,
  copyHint: "مع ما يحتاج إليه من شرائح وسمات. أما كونه مُفعَّلًا هناك أم لا فيبقى كما هو.",
  copyTo: "إلى البيئة",
  copyComment: (flag, from) => `نُسخ ${flag} من ${from}`,
  copied: (flag, to) => `أصبح ${apart(flag)} في ${apart(to)}.`,
  restored: "عاد ما لم تكن قد حفظته.",
  discardDraft: "تجاهله",
  unsaved: "تعديلات غير محفوظة",
  newUnsaved: "لم يُحفظ بعد",
  discard: "تجاهل",
  review: "مراجعة وحفظ",
};
