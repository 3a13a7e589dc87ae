import type { Texts } from "./texts";

export const ar: Texts = {
  consent: {
    title: "الشروط والأحكام",
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
    close: "إغلاق",
    loading: "جارٍ التحميل",
  },
};
