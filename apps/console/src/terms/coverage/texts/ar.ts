import type { CoverageTexts } from "./texts";

const rule = new Intl.PluralRules("ar");

function days(count: number, written: string): string {
  if (count === 366) return "سنة";
  return rule.select(count) === "few" ? `${written} أيام` : `${written} يومًا`;
}

export const ar: CoverageTexts = {
  standing: "الموافقة",
  standingAt: (day) => `الموافقة في نهاية ${day}`,
  asOf: "التاريخ",
  now: "الآن",
  asOfHint: "يعرض نهاية ذلك اليوم. اتركه فارغًا لعرض الحالة الحالية.",
  asOfRiders: "يشمل السائقين الحاليين الذين كانوا مضافين في ذلك التاريخ.",
  counted: (time) => `حُدّث ${time}`,
  accepted: "موافقة",
  declined: "رفض",
  withdrawn: "سحب الموافقة",
  pending: "بانتظار القرار",
  undecided: "بلا قرار",
  riders: "السائقون",
  ofRiders: (agreed, riders, percent) =>
    `نسبة الموافقة ${percent}: ${agreed} من ${riders} من السائقين`,
  noRiders: "لا سائقين يُسألون.",
  others: (total) => `المتقدمون وغيرهم: ${total}.`,
  othersDecided: (accepted, declined, withdrawn) =>
    `موافقة ${accepted}، رفض ${declined}، سحب ${withdrawn}.`,
  takesEffect: (date) => `تسري في ${date}.`,
  willBeAsked: (_count, written) => `عدد السائقين الذين سيُسألون: ${written}.`,
  byDay: "آخر القرارات بحسب اليوم",
  chart: "آخر قرارات السائقين بحسب اليوم",
  asTable: "عرض في جدول",
  day: "اليوم",
  chartHint: "مرّر المؤشر فوق عمود، أو استخدم مفتاحي السهمين.",
  campaignSteps: "خطوات الحملات",
  campaignStep: {
    app: "حملة: التطبيق",
    email: "حملة: البريد الإلكتروني",
    sms: "حملة: رسالة قصيرة",
    webhook: "حملة: Webhook",
    push: "حملة: إشعار فوري",
  },
  countedOnce: (zone: string) =>
    `يُحصى كل سائق مرة واحدة، في يوم آخر قرار له. الأيام بالمنطقة الزمنية ${zone}.`,
  range: "المدة",
  days,
  noDecisions: "لا قرارات في هذه المدة",
  noDecisionsHint: "اختر مدة أطول.",
  byLanguage: "بحسب اللغة",
  byLanguageHint: "اللغة التي عُرضت بها النسخة عند آخر قرار للسائق",
  language: "اللغة",
  unknownLanguage: "غير معروفة",
  share: "نسبة الموافقة",
  funnel: "مراحل القرار",
  funnelHint: "السائقون الذين رأوا هذه النسخة قبل أن يقرروا. لا يشمل ذلك المتقدمين.",
  funnelEmpty: "لم يرَ أي سائق هذه النسخة بعد.",
  steps: {
    shown: "عُرضت",
    accepted: "موافقة",
    declined: "رفض",
    withdrawn: "سحب الموافقة",
    undecided: "بلا قرار",
  },
  unopened: (_count, written) => `عدد من وافقوا دون فتح ملف PDF: ${written}.`,
  stepOf: (count, percent) => `${count} · ${percent}`,
  lists: {
    label: "قوائم السائقين",
    pending: "السائقون بانتظار القرار",
    declined: "السائقون الرافضون",
    withdrawn: "السائقون الذين سحبوا الموافقة",
  },
  listCount: (list, count) => `${list} (${count})`,
  search: "بحث",
  searchHint: "الاسم أو بداية المعرّف",
  id: "المعرّف",
  name: "الاسم",
  noName: "بلا اسم",
  noRidersIn: {
    pending: "لا سائقين بانتظار القرار",
    declined: "لم يرفض أي سائق",
    withdrawn: "لم يسحب أي سائق موافقته",
  },
  overHint: "لم تعد هذه النسخة مستخدمة. استُبدلت أو أُلغيت أو سُحبت.",
  noneFits: "لا سائق في هذه القائمة يطابق البحث.",
  export: "تصدير بصيغة CSV",
  exporting: (count) => `كُتب ${count}…`,
  exported: (count) => `صُدّر ${count} من السائقين.`,
  exportFailed: "فشل التصدير. لم يُحفظ أي ملف.",
  cancel: "إلغاء",
};
