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
      offline: "لم يتم الإرسال: لا يوجد اتصال. اختياراتك محفوظة.",
      changed: "تغيّرت الشروط في هذه الأثناء. اطّلع على ما وُضعت عليه علامة التغيير ثم وافق من جديد.",
      signedOut: "لم يتم الإرسال: تم تسجيل خروجك. سجّل الدخول ثم أعد المحاولة. اختياراتك محفوظة.",
      rateLimited: "لم يتم الإرسال: محاولات كثيرة. انتظر دقيقة ثم أعد المحاولة. اختياراتك محفوظة.",
      clock: "لم يتم الإرسال: ساعة هذا الجهاز متقدمة. اضبط التاريخ والوقت تلقائيًا ثم أعد المحاولة.",
      refused: "لم يتم الإرسال: لم يقبل الخادم ذلك. أعد تحميل الصفحة ثم حاول مرة أخرى.",
      server: "لم يتم الإرسال: حدثت مشكلة في الخادم. اختياراتك محفوظة.",
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
