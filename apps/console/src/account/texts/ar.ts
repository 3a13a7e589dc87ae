import type { AccountTexts } from "./texts";

export const ar: AccountTexts = {
  passwordTitle: "كلمة المرور",
  passwordHint: "كلمة المرور الجديدة تنهي جلساتك على كل الأجهزة الأخرى.",
  current: "كلمة المرور الحالية",
  change: "تغيير كلمة المرور",
  changed: "تغيّرت كلمة مرورك، وانتهت جلساتك الأخرى.",
  byCompany: (provider) =>
    `تسجّل الدخول عبر \u2068${provider}\u2069. لا توجد هنا كلمة مرور لتغييرها.`,
  authenticatorTitle: "تطبيق المصادقة",
  hasAuthenticator: "مُعدّ. يطلب تسجيل الدخول أرقامه الستة.",
  noAuthenticator: "غير مُعدّ. كلمة مرورك وحدها تكفي لتسجيل الدخول.",
  lostAuthenticator:
    "إن فقدته فاسأل من يدير الخادم: يستبدله الأمر \u2066musette user add --totp\u2069.",
  setUpAuthenticator: "إعداد تطبيق المصادقة",
  confirmTitle: "أكّد أنك أنت",
  confirmWhy: "قد يمنح هذا التغيير شخصًا آخر حق الدخول. أكّد هويتك. يسري التأكيد لمدة 10 دقائق.",
  ownPassword: "كلمة مرورك",
  confirm: "تأكيد",
  notNow: "إلغاء",
  confirmWith: (provider) => `التأكيد عبر \u2068${provider}\u2069`,
  goOnThere: "تابع في النافذة التي فُتحت.",
  wrongPassword: "كلمة المرور غير صحيحة.",
  confirmed: "تأكّدت هويتك",
  notConfirmed: "لم تتأكّد هويتك",
  closeWindow: "يمكنك إغلاق هذه النافذة.",
  otherPerson: "سجّلت الدخول بحساب آخر. استخدم الحساب نفسه المستخدم هنا.",
  notFresh: "لا يذكر دخول شركتك أنك سجّلت الدخول هناك للتو. استخدم كلمة مرورك أو اسأل مسؤولًا.",
};
