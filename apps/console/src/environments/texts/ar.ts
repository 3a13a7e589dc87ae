import type { EnvironmentsTexts } from "./texts";

/** Keys are mostly Latin: each is set apart, so that it does not pull what stands beside it along. */
const apart = (text: string) => `\u2068${text}\u2069`;

export const ar: EnvironmentsTexts = {
  owner: "المسؤول",
  older: "عرض الأقدم",
  discard: "تجاهل",

  historyTitle: "سجل الأعلام",
  historyIntro: (zone) =>
    `كل إصدار سرى يومًا، والأحدث أولًا. اختر واحدًا لترى ما غيّره. الأوقات بتوقيت ${apart(zone)}.`,
  noHistory: "لم يُحفظ شيء هنا بعد.",
  noHistoryHint: "كل تغيير في علم أو شريحة أو مجموعة استبعاد إصدارٌ يمكن الرجوع إليه.",
  noComment: "دون تعليق",
  byItself: "تلقائيًا أو بأمر",
  current: "الحالي",
  compared: "مقارنة إصدارين",
  from: "من الإصدار",
  to: "إلى الإصدار",
  closeCompared: "إغلاق",
  goBackTo: (version) => `الرجوع إلى الإصدار ${version}`,
  goBackComment: (version) => `رجوع إلى الإصدار ${version}`,

  plannedTitle: "التغييرات المُجدولة",
  plannedIntro: (zone) => `تغييرات تحدث من تلقاء نفسها في وقتها. الأوقات بتوقيت ${apart(zone)}.`,
  newPlan: "جدولة تغيير",
  noPlans: "لا شيء مُجدول.",
  noPlansHint: "جدول تغييرًا عندما يجب تفعيل علم يوم الاثنين في التاسعة دون أن يحضر أحد لذلك.",
  statuses: { waiting: "مُجدول", done: "تم", cancelled: "أُلغي", refused: "رُفض" },
  plannedBy: (author, at) => `جدوله ${apart(author)}، ${at}`,
  refusedBecause: "لم يسرِ التغيير: كان شخص ما قد عدّل الشيء نفسه قبل ذلك.",
  whatChanges: "ما سيتغير",
  cancelPlan: "إلغاء التغيير",
  cancelTitle: "هل تريد إلغاء هذا التغيير المُجدول؟",
  cancelText: (at) => `لن يحدث شيء في ${at}.`,
  cancelled: "أُلغي التغيير المُجدول.",
  copyAll: "نسخ الكل من…",
  copyAllTitle: (to) => `نسخ كل شيء إلى ${apart(to)}`,
  copyAllHint: "تُحذف الأعلام الموجودة هنا فقط. سترى كل ذلك قبل الحفظ.",
  copyFrom: "من البيئة",
  copyAllComment: (from, version) => `نُسخ من ${from}، الإصدار ${version}`,
  copiedAll: (from, to) => `أصبحت ${apart(to)} مثل ${apart(from)}.`,

  staleTitle: "الأعلام المتقادمة",
  staleIntro: "أعلام لم تعد تحسم شيئًا. أزلها من شيفرة التطبيقات أولًا، ثم من هنا.",
  why: "السبب",
  asked: "مرات الطلب",
  reasons: {
    one_value: (days, variation) => `على مدى ${days} يومًا حصل الجميع على «${apart(variation)}».`,
    unused: (days) => `لم يطلبه أي تطبيق على مدى ${days} يومًا.`,
    rollout_complete: () => "وصل إطلاقه إلى الجميع.",
  },
  noStale: "لا يوجد علم متقادم.",
  noStaleHint: (days) =>
    `تظهر هنا الأعلام التي تعطي الجميع القيمة نفسها منذ ${days} يومًا، أو لا يطلبها أحد، أو اكتمل إطلاقها.`,

  jsonTitle: "الأعلام بصيغة JSON",
  jsonIntro: "الإعدادات كلها في نص واحد، لإجراء تغييرات في مواضع كثيرة دفعة واحدة.",
  jsonRestored: "ما كتبته سابقًا ما زال هنا.",
  noJson: (line, column) => `نص JSON غير صالح عند السطر ${line}، العمود ${column}.`,
  line: (line) => `السطر ${line}`,
  noFaults: "لا أخطاء. يمكن الحفظ.",
  check: "فحص",
  review: "مراجعة وحفظ",
  savedAs: (version) => `حُفظ بصفته الإصدار ${version}.`,
  import: "فتح ملف",
  export: "تنزيل",
  flag: "العلم",
  showChanges: "عرض ما سيتغير",
  reverted: (version) => `عاد كل شيء كما في الإصدار ${version}.`,
};
