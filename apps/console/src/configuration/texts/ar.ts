import type { ConfigurationTexts } from "./texts";

/** Keys are mostly Latin: each is set apart, so that it does not pull what stands beside it along. */
const apart = (text: string) => `\u2068${text}\u2069`;

export const ar: ConfigurationTexts = {
  environment: "البيئة",
  none: "لا توجد بيئة بعد.",
  noneIsMine: "ليس لديك وصول إلى أي بيئة.",
  notThere: (missing, env) =>
    `البيئة \u2068${missing}\u2069 غير موجودة، أو ليس لديك وصول إليها. المعروض: \u2068${env}\u2069.`,
  noneHint: "تضم كل بيئة مجموعة واحدة من الأعلام، كبيئة الإنتاج أو الاختبار.",
  addFirst: "إضافة بيئة",
  askAdmin: "اطلب من مسؤول إضافة بيئة.",
  keyForm:
    "استخدم من 1 إلى 100 من الحروف اللاتينية الصغيرة والأرقام والنقاط والشرطات والشرطات السفلية. ابدأ بحرف أو رقم.",
  tabs: { label: "الأعلام", flags: "الأعلام" },
  flag: "العلم",
  comment: "تعليق",
  showChanges: "عرض التغييرات",
  reverted: (version) => `استُعيد الإصدار ${version}`,
  notReverted: "لم تتم الاستعادة: حفظ مستخدم آخر تغييرًا. راجع السجل.",
  planTitle: "جدولة تغيير",
  planWhat: "التغيير",
  whats: { on: "تفعيله", off: "تعطيله", edited: "حفظه كما هو قيد التعديل الآن" },
  planned: {
    on: (flag) => `تفعيل ${flag}`,
    off: (flag) => `تعطيل ${flag}`,
    edited: (flag) => `تعديل ${flag}`,
  },
  planAt: "التاريخ والوقت",
  inZone: (zone) => `بتوقيت ${apart(zone)}.`,
  planHint: "تبقى التغييرات الأخرى. إذا غيّر مستخدم آخر هذا العلم قبل ذلك، يفشل التغيير المُجدول.",
  planIt: "جدولة التغيير",
  isPlanned: "تمت الجدولة. تجد التغيير ضمن «التغييرات المُجدولة» حيث يمكن إلغاؤه.",
  isPlannedIfApproved: "تمت الجدولة. يجب اعتماد التغيير قبل هذا الوقت. راجع صفحة الاعتمادات.",

  copyTitle: (flag) => `نسخ ${apart(flag)}`,
  copyHint: "يشمل الشرائح والسمات التي يستخدمها العلم. لا تتغيّر حالة التفعيل في البيئة الهدف.",
  copyTo: "إلى البيئة",
  copyComment: (flag, from) => `نُسخ ${flag} من ${from}`,
  copied: (flag, to) => `نُسخ ${apart(flag)} إلى ${apart(to)}`,
  restored: "عاد ما لم تكن قد حفظته.",
  discardDraft: "تجاهل التغييرات",
  unsaved: "تغييرات غير محفوظة",
  newUnsaved: "غير محفوظ",
  discard: "تجاهل",
  review: "مراجعة وحفظ",
};
