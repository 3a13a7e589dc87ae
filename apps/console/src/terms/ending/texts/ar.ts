import { riders } from "../../arabic-counts";
import type { EndingTexts } from "./texts";

const rule = new Intl.PluralRules("ar");

function agreements(count: number, written: string): string {
  const forms: Partial<Record<Intl.LDMLPluralRule, string>> = {
    zero: "لا توجد موافقات.",
    one: "تبقى موافقة شخص واحد مع إيصالها.",
    two: "تبقى موافقة شخصين مع إيصاليهما.",
    few: `تبقى موافقات ${written} أشخاص مع إيصالاتهم.`,
    many: `تبقى موافقات ${written} شخصًا مع إيصالاتهم.`,
  };
  return forms[rule.select(count)] ?? `تبقى موافقات ${written} شخص مع إيصالاتهم.`;
}

export const ar: EndingTexts = {
  title: "إنهاء هذه الوثيقة",
  cancel: "إلغاء النسخة",
  cancelHint: (date) =>
    `تسري هذه النسخة من \u2068${date}\u2069. إذا ألغيتها قبل ذلك فلن يُطلب من السائقين الموافقة عليها.`,
  cancelTitle: (title) => `هل تُلغى «${title}»؟`,
  cancelText: (date) =>
    `لن تسري هذه النسخة من \u2068${date}\u2069. تبقى مقروءة هنا، ويحفظ السجل النشر والإلغاء.`,
  notAsked: (count, written) =>
    count === 0 ? "لم يكن أحد ليُسأل عنها." : `لن يُسأل ${riders(count, written)} ممن كانوا سيُسألون.`,
  formerStays: "تبقى النسخة الحالية سارية.",
  nothingInstead: "لا تسري أي نسخة أخرى.",
  undoUntil: (date) => `يمكنك التراجع عن هذا حتى ${date}.`,
  cancelled: (title) => `أُلغيت «${title}».`,
  isCancelled: (date) => `أُلغيت في \u2068${date}\u2069 قبل سريانها.`,
  undoCancel: "التراجع عن الإلغاء",
  retire: "سحب الوثيقة",
  retireHint: "لا يُطلب من السائقين الموافقة على وثيقة مسحوبة. تبقى القرارات والإيصالات.",
  retireTitle: (title) => `هل تُسحب «${title}»؟`,
  retireText:
    "لا يُطلب من السائقين الموافقة على هذه الوثيقة بعد ذلك ولا تمنعهم من العمل. لطلب الموافقة من جديد انشر وثيقة جديدة.",
  noLongerAsked: (count, written) =>
    count === 0
      ? "وافق الجميع، فلا أحد ينتظر السؤال."
      : `لن يُسأل بعدها ${riders(count, written)} ممن لم يوافقوا.`,
  stays: agreements,
  when: "متى",
  atDate: "في تاريخ محدد",
  atOnce: "الآن",
  atOnceHint: "لا يمكن التراجع عن هذا.",
  from: "مسحوبة من",
  retired: (title) => `سُحبت «${title}».`,
  retiredFrom: (title, date) => `ستُسحب «\u2068${title}\u2069» في \u2068${date}\u2069.`,
  willRetire: (date) => `ستُسحب في \u2068${date}\u2069. لا يمكن نشر نسخ جديدة.`,
  isRetired: (date) => `سُحبت في \u2068${date}\u2069. تبقى القرارات والإيصالات.`,
  undoRetire: "التراجع عن السحب",
  undone: "تم التراجع عن التغيير.",
  notUndone: "سرى هذا التغيير أو غُيّر مرة أخرى. لا يمكن التراجع عنه.",
};
