import type { ReachTexts } from "./texts";

export const ar: ReachTexts = {
  title: "الوصول",
  addressed: "المعنيون",
  sent: "أُرسلت إليهم",
  accepted: "قبلتها قناة",
  bounced: "مرتدة",
  opened: "فتحوه",
  notReachable: "لم يصل إليهم",
  served: (percent, served, riders) =>
    `نسبة التسليم ${percent}: ${served} من ${riders} من السائقين`,
  servedHint: "سُلّم: قبلت قناة رسالة، أو فتح السائق الإشعار. لا يُعد مقروءًا إلا الإشعار المفتوح.",
  noRiders: "لا يوجد سائقون.",
  unreached: "سائقون لم يصل إليهم بعد",
  rider: "السائق",
  reason: "السبب",
  reasons: {
    not_contacted: "لا رسالة بعد",
    no_text: "لا نص بلغته",
    bounced: "ارتد عنوان البريد الإلكتروني",
    restricted_channel: "ألغى الاشتراك في الرسائل",
    no_address: "لا عنوان للقنوات",
    failed: "فشلت الرسالة",
  },
  none: "وصل الإشعار إلى كل السائقين.",
  shown: (count) => `عدد السائقين المعروضين: ${count}`,
  export: "تصدير بصيغة CSV",
  campaigns: "عرض الحملات",
  noNotice: "هذه الصفحة للإشعارات فقط. تعرض صفحة الموافقات من وافق على هذه الوثيقة.",
};
