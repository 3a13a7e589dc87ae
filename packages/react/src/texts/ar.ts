import type { Texts } from "./texts";

const plural = new Intl.PluralRules("ar");

const requiredLeft: Record<Intl.LDMLPluralRule, (n: number) => string> = {
  zero: () => "لم يبقَ أي شرط إلزامي",
  one: () => "بقي شرط إلزامي واحد",
  two: () => "بقي شرطان إلزاميان",
  few: (n) => `بقيت ${n} شروط إلزامية`,
  many: (n) => `بقي ${n} شرطًا إلزاميًا`,
  other: (n) => `بقي ${n} شرط إلزامي`,
};

const seconds: Record<Intl.LDMLPluralRule, (n: number) => string> = {
  zero: (n) => `${n} ثانية`,
  one: () => "ثانية واحدة",
  two: () => "ثانيتين",
  few: (n) => `${n} ثوانٍ`,
  many: (n) => `${n} ثانية`,
  other: (n) => `${n} ثانية`,
};

const unchanged: Record<Intl.LDMLPluralRule, (n: number) => string> = {
  zero: () => "لا فقرات دون تغيير",
  one: () => "فقرة واحدة دون تغيير",
  two: () => "فقرتان دون تغيير",
  few: (n) => `${n} فقرات دون تغيير`,
  many: (n) => `${n} فقرة دون تغيير`,
  other: (n) => `${n} فقرة دون تغيير`,
};

function documents(total: number): string {
  const form = plural.select(total);
  if (form === "one") return "المستند";
  if (form === "two") return "كلا المستندين";
  return form === "few" ? `كل المستندات الـ${total}` : `كل المستندات (${total})`;
}

export const ar: Texts = {
  lang: "ar",
  dir: "rtl",
  consent: {
    title: "الشروط والأحكام",
    description: "يجب أن توافق على الشروط للمتابعة",
    agreeAll: "الموافقة على الكل",
    agreeAllNote: (total) => `${documents(total)} أدناه، بما فيها ما يمكنك تركه`,
    optional: "اختياري",
    changed: "تم تغييره",
    accept: "أوافق وأتابع",
    back: "رجوع",
    close: "إغلاق",
    open: (title) => `فتح ${title}`,
    openAll: "فتح كل المستندات",
    requiredLeft: (n) => requiredLeft[plural.select(n)](n),
    loading: "جارٍ تحميل الشروط",
    loadingSlow: "ما زال التحميل جاريًا. الاتصال بطيء.",
    sending: "جارٍ الإرسال",
    saved: "تم تسجيل قرارك.",
    noTerms: "لا توجد حاليًا شروط تحتاج إلى موافقتك.",
    loadFailed: "تعذّر تحميل الشروط.",
    viewerFailed: "تعذّر فتح المستند. تحقق من اتصالك ثم أعد المحاولة.",
    tryAgain: "إعادة المحاولة",
    submitFailed: {
      offline: "لم يصل أي رد. أعد المحاولة: لن يُسجَّل شيء مرتين.",
      changed: "تغيّرت الشروط في هذه الأثناء. اطّلع على ما وُضعت عليه علامة التغيير ثم وافق من جديد.",
      signedOut: "تم تسجيل خروجك. سجّل الدخول ثم أعد المحاولة: لن يُسجَّل شيء مرتين.",
      rateLimited: "محاولات كثيرة من هنا. انتظر ثم أعد المحاولة: لن يُسجَّل شيء مرتين.",
      clock: "ساعة هذا الجهاز متقدمة. اضبط التاريخ والوقت تلقائيًا ثم أعد المحاولة.",
      refused: "لم يقبل الخادم ذلك. أعد تحميل الصفحة ثم حاول مرة أخرى.",
      slow: "يستغرق هذا وقتًا أطول من المعتاد. انتظر أو أعد المحاولة: لن يُسجَّل شيء مرتين.",
      server: "لم يتمكن الخادم من التأكيد. أعد المحاولة: لن يُسجَّل شيء مرتين.",
    },
    wait: (n) => `يطلب الخادم الانتظار ${seconds[plural.select(n)](n)}.`,
    earlierUnknown: "تعذّر تحميل ما قررته سابقًا. المستندات الاختيارية التي لا تلمسها تبقى كما هي.",
    declined: "لم توافق على هذا سابقًا. يبقى كذلك ما لم تضع علامة هنا.",
    agreeAllExcept: "المستندات أدناه، ما عدا ما يحتاج إلى علامة خاصة به",
    cleared: "لم يلمس أحد الشاشة لمدة 15 دقيقة، لذلك أُزيلت العلامات.",
    pending: {
      sending: (at) => `يُعاد إرسال الموافقة المؤرخة ${at}. تُسجَّل مرة واحدة فقط.`,
      unanswered: (at) => `وافقتَ بتاريخ ${at} ولم يصل أي رد بعد. أعد المحاولة: لن يُسجَّل شيء مرتين.`,
      expired: (at) =>
        `وافقتَ بتاريخ ${at} ولم يصل أي رد. مضى وقت أطول من أن يمكن السؤال هل سُجِّلت الموافقة.`,
      decideAnew: "إلى المستندات",
      whose: (at) => `سُجِّلت موافقة تم تأكيدها على هذا الجهاز بتاريخ ${at}. هل كنتَ أنت؟`,
      mine: "نعم، اعرض الإيصال",
      notMine: "لا، كان شخصًا آخر",
    },
  },
  viewer: {
    close: "إغلاق",
    back: "رجوع",
    previous: "المستند السابق",
    next: "المستند التالي",
    position: (n, total) => `${n} من ${total}`,
    page: (n, total) => `الصفحة ${n} من ${total}`,
    zoomIn: "تكبير",
    zoomOut: "تصغير",
    readingView: "عرض القراءة",
    pageView: "عرض الصفحات",
    originalPdf: "ملف PDF الأصلي",
    download: "تنزيل",
    loading: "جارٍ تحميل المستند",
    failed: "تعذّر تحميل هذا المستند.",
    tryAgain: "إعادة المحاولة",
    noText:
      "هذا المستند ممسوح ضوئيًا: فيه صور للصفحات دون نص. اطّلع على الصفحات أو افتح ملف PDF الأصلي.",
    fit: "ملاءمة العرض",
    textLarger: "نص أكبر",
    textSmaller: "نص أصغر",
    readAsText: "الخط صغير؟ اقرأه كنص",
  },
  changes: {
    show: "عرض ما تغيّر",
    between: (before, now) =>
      `النسخة \u2068${before}\u2069 مقارنةً بالنسخة \u2068${now}\u2069، بحسب كلماتهما.`,
    counted: (added, removed) => `كلمات مضافة: ${added}. كلمات محذوفة: ${removed}.`,
    addedSign: "مضاف",
    removedSign: "محذوف",
    added: "مضاف: ",
    removed: "محذوف: ",
    end: ". انتهى. ",
    unchanged: (n) => unchanged[plural.select(n)](n),
    more: "هناك المزيد. افتح المستند لقراءته كاملًا.",
    same: "الكلمات هي نفسها. لا تُقارَن الصور ولا التنسيق.",
    different: "التغييرات أكثر من أن تُعرض كلمة كلمة. يُرجى قراءة النص الجديد كاملًا.",
    textless:
      "أحد المستندين ممسوح ضوئيًا دون نص، لذلك لا يمكن مقارنتهما. يُرجى قراءة المستند الجديد كاملًا.",
    otherLanguage: "لم تُنشر النسخة السابقة بهذه اللغة، لذلك لا يمكن مقارنتهما.",
    failed: "تعذّر تحميل النصين.",
    formerPdf: "النسخة السابقة (PDF)",
  },
  ui: {
    status: {
      WORKING: "في العمل",
      LATE: "متأخر",
      NOT_WORKING: "خارج العمل",
      STARTING_SOON: "يبدأ قريبًا",
      FINISHING_SOON: "ينتهي قريبًا",
      OVERTIME: "وقت إضافي",
      PENDING: "قيد الانتظار",
      EVALUATED: "تم التقييم",
      IN_DISCUSSION: "قيد النقاش",
      NO_SHOW: "لم يحضر",
      ACCEPTED: "مقبول",
      REJECTED: "مرفوض",
      ACHIEVED: "محقَّق",
      UNACHIEVED: "غير محقَّق",
      ONGOING: "جارٍ",
    },
  },
};
