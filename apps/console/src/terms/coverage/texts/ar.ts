import type { CoverageTexts } from "./texts";

const rule = new Intl.PluralRules("ar");

function missing(count: number, written: string): string {
  const forms: Partial<Record<Intl.LDMLPluralRule, string>> = {
    zero: "لم يبقَ أحد دون موافقة.",
    one: "سائق واحد لم يوافق.",
    two: "سائقان لم يوافقا.",
    few: `${written} سائقين لم يوافقوا.`,
    many: `${written} سائقًا لم يوافقوا.`,
  };
  return forms[rule.select(count)] ?? `${written} سائق لم يوافقوا.`;
}

function days(count: number, written: string): string {
  if (count === 366) return "سنة";
  return rule.select(count) === "few" ? `${written} أيام` : `${written} يومًا`;
}

export const ar: CoverageTexts = {
  standing: "الوضع الآن",
  standingAt: (day) => `الوضع في نهاية ${day}`,
  asOf: "الوضع في تاريخ",
  now: "الآن",
  asOfHint: "نهاية ذلك اليوم بتوقيتك. فارغ: الآن.",
  asOfRiders: "يُحصى من سائقي اليوم من كانوا مضافين حينها.",
  counted: (time) => `أُحصيت ${time}.`,
  accepted: "موافقة",
  refused: "رفض",
  withdrawn: "سحب الموافقة",
  outstanding: "بانتظار القرار",
  riders: "السائقون",
  ofRiders: (agreed, riders, percent) =>
    `وافق ${agreed} من أصل ${riders} من السائقين (${percent}).`,
  noRiders: "لا سائقين يُسألون.",
  applicants: "تشمل الموافقة والرفض والسحب المتقدمين أيضًا؛ أما بانتظار القرار فللسائقين وحدهم.",
  byDay: "بحسب اليوم",
  chart: "القرارات بحسب اليوم",
  asTable: "في جدول",
  day: "اليوم",
  chartHint: "أشر إلى عمود، أو تنقّل بينها بمفتاحي السهمين.",
  utc: "تُحسب الأيام بالتوقيت العالمي UTC.",
  range: "المدة",
  days,
  noDecisions: "لم يقرر أحد في هذه المدة",
  noDecisionsHint: "يُحصى هنا كل قبول أو رفض لهذه النسخة.",
  byLanguage: "بحسب اللغة",
  byLanguageHint: "اللغة التي قُرئت بها هذه النسخة بعينها عند القرار.",
  language: "اللغة",
  unknownLanguage: "غير معروفة",
  share: "الموافقات من كل القرارات",
  funnel: "من العرض إلى الموافقة",
  funnelHint:
    "السائقون الذين عُرضت عليهم هذه النسخة قبل أن يقرروا، وما آل إليه أمر هؤلاء بعينهم. لا يدخل فيهم المتقدمون.",
  funnelEmpty: "لا أحد بعد. متى طلب تطبيق أحد السائقين الشروط وحصل على هذه النسخة أُحصي ذلك هنا.",
  steps: { shown: "عُرضت", opened: "فُتحت", decided: "قُرر بشأنها", accepted: "وُوفق عليها" },
  stepOf: (count, percent) => `${count} · ${percent}`,
  missing: "من لم يوافق",
  missingCount: missing,
  search: "بحث",
  searchHint: "جزء من الاسم أو بداية المعرّف",
  id: "المعرّف",
  name: "الاسم",
  noName: "بلا اسم",
  nobody: "وافق الجميع",
  nobodyHint: "كل السائقين وافقوا على هذه الشروط.",
  overHint: "لا يُسأل أحد عن هذه النسخة: استُبدلت أو أُلغيت أو سُحبت.",
  noneFits: "لا أحد ممن لم يوافقوا له هذا الاسم أو المعرّف.",
  export: "تصدير بصيغة CSV",
  exporting: (count) => `كُتب ${count}…`,
  exported: (count) => `صُدّر ${count} من السائقين.`,
  exportFailed: "انقطع التصدير. لم يُحفظ شيء.",
  cancel: "إلغاء",
};
