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
  title: "الإلغاء أو السحب",
  cancel: "إلغاء هذه النسخة",
  cancelHint: (date) => `تسري من ${date}. يمكن إلغاؤها حتى ذلك الحين، فلا يُسأل أحد عنها.`,
  cancelTitle: (title) => `هل تُلغى «${title}»؟`,
  cancelText: (date) =>
    `كان مقررًا أن تسري من ${date}، ولن تسري أبدًا. يبقى ما نُشر مقروءًا هنا، ويحفظ السجل الأمرين.`,
  notAsked: (count, written) =>
    count === 0 ? "لم يكن أحد ليُسأل عنها." : `لن يُسأل ${riders(count, written)} ممن كانوا سيُسألون.`,
  formerStays: "تبقى النسخة السابقة سارية.",
  nothingInstead: "لا يحل محلها شيء.",
  undoUntil: (date) => `يمكنك التراجع عن هذا حتى ${date}.`,
  cancelled: (title) => `أُلغيت «${title}».`,
  isCancelled: (date) => `أُلغيت في ${date}. لم يُسأل عنها أحد ولن يُسأل.`,
  undoCancel: "التراجع عن الإلغاء",
  retire: "سحب الوثيقة",
  retireHint: "متى سُحبت الوثيقة لم يعد يُسأل عنها أحد. تبقى الموافقات مع إيصالاتها.",
  retireTitle: (title) => `هل تُسحب «${title}»؟`,
  retireText:
    "لا يُسأل أحد بعدها عن أي نسخة منها، ولا يُمنع أحد من العمل بسببها. لطلب الموافقة من جديد انشر وثيقة جديدة.",
  noLongerAsked: (count, written) =>
    count === 0
      ? "وافق الجميع، فلا أحد ينتظر السؤال."
      : `لن يُسأل بعدها ${riders(count, written)} ممن لم يوافقوا.`,
  stays: agreements,
  when: "متى",
  atDate: "في تاريخ محدد",
  atOnce: "فورًا",
  atOnceHint: "لا يمكن التراجع عن هذا.",
  from: "مسحوبة من",
  retired: (title) => `سُحبت «${title}».`,
  retiredFrom: (title, date) => `تُسحب «${title}» من ${date}.`,
  willRetire: (date) => `تُسحب من ${date}: لا يُسأل عنها أحد بعد ذلك. لا يمكن نشر نسخ جديدة منها.`,
  isRetired: (date) => `مسحوبة منذ ${date}. لم يعد يُسأل عنها أحد؛ وتبقى الموافقات والإيصالات.`,
  undoRetire: "التراجع عن السحب",
  undone: "عاد كل شيء كما كان.",
  notUndone: "تعذر التراجع: سرى الأمر أو غُيّر منذ ذلك الحين.",
};
