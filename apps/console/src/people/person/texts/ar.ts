import { plural } from "../../../language/plural";
import type { Condition, Draw, Test } from "../trace";
import type { PersonTexts } from "./texts";

const flagsOf = plural("ar", {
  zero: "لا أعلام",
  one: "علم واحد",
  two: "علمان",
  few: "# أعلام",
  many: "# علمًا",
  other: "# علم",
});

/** Names and operands keep their own direction within the sentence. */
const own = (text: string) => `\u2068${text}\u2069`;

const tests: Readonly<Record<Test, string>> = {
  exists: "مذكور",
  eq: "يساوي",
  ne: "لا يساوي",
  in: "هو أحد",
  not_in: "ليس من",
  contains: "يحتوي على",
  not_contains: "لا يحتوي على",
  starts: "يبدأ بـ",
  ends: "ينتهي بـ",
  matches: "يطابق",
  lt: "أقل من",
  lte: "لا يزيد على",
  gt: "أكثر من",
  gte: "لا يقل عن",
  between: "يقع بين",
  semver_eq: "هو الإصدار",
  semver_lt: "قبل الإصدار",
  semver_lte: "لا يتجاوز الإصدار",
  semver_gt: "بعد الإصدار",
  semver_gte: "لا يقل عن الإصدار",
  before: "قبل",
  after: "بعد",
  cidr: "في إحدى الشبكات",
  has_any: "فيه أيّ من",
  has_all: "فيه كلّ من",
};

const draws: Readonly<Record<Draw, string>> = {
  named: "مذكور بالاسم",
  heldOut: "وقع عليه الاختيار للاستبعاد",
  covered: "وقع عليه الاختيار للمشاركة",
  inSlot: "من نصيب هذه التجربة من بين عدة تجارب",
  assigned: "شارك من قبل ويحتفظ بنسخته",
  notTooOld: "ليس من سحب لم يعد يُحتسب",
};

function condition(it: Condition): string {
  switch (it.kind) {
    case "test":
      return `${own(it.attribute)} ${tests[it.test]} ${it.than && own(it.than)}`.trim();
    case "draw":
      return `${own(it.attribute)} ${draws[it.draw]}`;
    case "share": {
      const percent = it.percent.toLocaleString("ar", {
        style: "percent",
        maximumFractionDigits: 3,
      });
      return `${own(it.attribute)} ضمن نسبة ${own(percent)} التي تصلها`;
    }
    case "serves":
      return "العلم الآخر يعطي المطلوب منه";
    default:
      return it.text;
  }
}

export const ar: PersonTexts = {
  back: "كل الأشخاص",
  notHere: "لا أحد بهذا المعرّف",
  notHereHint: (userId) =>
    `«${own(userId)}» مكتوب خطأً أو مُحيت بياناته. ما وافق عليه الشخص الممحوّ يبقى في السجل دون ذكر من كان.`,
  tabs: {
    label: "عن هذا الشخص",
    terms: "الشروط",
    consents: "الموافقات",
    sessions: "الجلسات",
    flags: "الأعلام",
    audit: "التدقيق",
    account: "الحساب",
  },
  zone: (zone) => `الأوقات بتوقيت ${own(zone)}`,

  mayWork: "يمكنه العمل: لا شيء ينتظر قراره بعد المهلة",
  mayNotWork: "لا يمكنه العمل قبل الموافقة",
  market: "السوق",
  noMarket: "دون سوق: الشروط العامة فقط.",
  newMarket: "السوق الجديد",
  marketHint: "فارغ: دون سوق. تبقى القرارات عند الانتقال، ولا يُسأل إلا عن النصوص الجديدة عليه.",
  saveMarket: "حفظ السوق",
  marketSaved: "حُفظ السوق.",
  asOf: "الوضع في تاريخ",
  asOfHint: "نهاية ذلك اليوم بتوقيتك. فارغ: الآن.",
  now: "الآن",
  mightWork: "كان يجوز له العمل حينها: لا شيء تجاوز مهلته",
  mightNotWork: "لم يكن يجوز له العمل حينها قبل الموافقة",
  notAddedThen: "لم يكن مضافًا حينها",
  noTermsThen: "لم يكن أي شرط ساريًا حينها.",
  noRider: "ليس سائقًا: لا يُطلب منه شيء",
  noTerms: "لا يوجد شرط سارٍ.",
  noTermsHint: "انشر شرطًا في صفحة الشروط ليُطلب من السائقين الموافقة عليه.",
  term: "الشرط",
  mandatory: "إلزامية",
  optional: "اختيارية",
  version: (version) => `النسخة ${version}`,
  state: "الحالة",
  states: {
    accepted: "موافَق عليه",
    declined: "مرفوض",
    withdrawn: "سُحبت الموافقة",
    outstanding: "بانتظار القرار",
    undecided: "لم يُبتّ فيه",
  },
  inherited: (from, to) =>
    `وافق على النسخة ${from}. النسخة ${to} تعديل طفيف، لذا تبقى هذه الموافقة سارية.`,
  grace: (until) => `لا يمنع أحدًا حتى ${own(until)}`,
  when: "وقت القرار",
  receipt: "الإيصال",
  openReceipt: "فتح",

  consentsIntro: (zone) => `كل القرارات، الأحدث أولًا. الأوقات بتوقيت ${own(zone)}.`,
  noConsents: "لا قرار بعد.",
  noConsentsHint: "حين يوافق هذا الشخص على شرط أو يرفضه يظهر القرار هنا مع إيصاله.",

  noSessions: "لم يسجّل الدخول في أي مكان.",
  noSessionsHint: "يظهر هنا كل تسجيل دخول مع جهازه.",
  adminSessions: "هذا مسؤول. لا يرى جلساته ولا ينهيها إلا المسؤولون.",
  unknownDevice: "جهاز غير معروف",
  lastUsed: "آخر استخدام",
  signedIn: "تسجيل الدخول",
  methods: {
    code: "برمز",
    password: "بكلمة مرور",
    password_otp: "بكلمة مرور وتطبيق مصادقة",
    oidc: "بتسجيل دخول الشركة",
    link: "برابط دخول",
    command: "من سطر الأوامر",
    demo: "في عرض توضيحي",
  },
  unknownMethod: "طريقة غير معروفة",
  end: "إنهاء",
  endTitle: (device) => `إنهاء الجلسة على ${own(device)}؟`,
  endHint: "يُرفض الطلب التالي من هناك ويُطلب تسجيل الدخول من جديد.",
  ended: "انتهت الجلسة.",
  endAll: "إنهاء الكل",
  endAllTitle: (userId) => `تسجيل خروج ${own(userId)} من كل مكان؟`,
  endAllHint: "يُرفض الطلب التالي من كل جهاز ويُطلب تسجيل الدخول من جديد.",
  endedAll: "انتهت كل الجلسات.",

  flagsIntro: "ما يحصل عليه التطبيق لهذا الشخص الآن، ولماذا. والاطلاع لا يُحتسب في أي إحصاء.",
  noEnvironment: "لا توجد بيئة بعد.",
  noEnvironmentHint: "تُقدَّم الأعلام لكل بيئة على حدة، مثل الإنتاج والاختبار.",
  toEnvironments: "إلى البيئات",
  noFlags: "لا أعلام في هذه البيئة.",
  environment: "البيئة",
  findFlag: "البحث عن علم",
  flagsShown: (shown, all) => (shown === all ? flagsOf(all) : `${shown} من ${flagsOf(all)}`),
  attributes: "ما سيذكره التطبيق عن الشخص",
  attributesHint:
    "يرسل التطبيق سمات مع كل سؤال ولا تُحفظ. اذكر ما يؤثر منها، مثل المدينة أو إصدار التطبيق.",
  attribute: "السمة",
  attributeValue: "القيمة",
  addAttribute: "إضافة",
  removeAttribute: (name) => `إزالة ${own(name)}`,
  on: "مفعّل",
  off: "معطّل",
  nothing: "لا شيء",
  variation: "البديل",
  noConditions: "لا شرط هنا: الجميع يحصلون على هذا.",
  therefore: "إذن:",
  reasons: {
    OFF: () => "العلم معطّل",
    OVERRIDE: () => "هذا الشخص مذكور بالاسم",
    PREREQUISITE_FAILED: (name) => `العلم ${own(name)} الذي يعتمد عليه لا يعطي المطلوب`,
    HOLDOUT: (name) => `مستبعد بسبب ${own(name)}`,
    TARGET: (name) => `حسب الهدف ${own(name)}`,
    RULE: (name) => `حسب القاعدة ${own(name)}`,
    ROLLOUT: (name) => `حسب الإطلاق التدريجي ${own(name)}`,
    AB_TEST: (name) => `يشارك في التجربة ${own(name)}`,
    DEFAULT: () => "لا قاعدة تنطبق: القيمة الافتراضية",
    ERROR: () => "تعذّر تقييم هذا العلم",
  },
  steps: {
    off: () => "المفتاح",
    override: () => "المذكورون بالاسم",
    prerequisite: (name) => `يعتمد على العلم ${own(name)}`,
    holdout: (name) => `المجموعة المستبعدة ${own(name)}`,
    target: (name) => `الهدف ${own(name)}`,
    rule: (name) => `القاعدة ${own(name)}`,
    rollout: (name) => `الإطلاق التدريجي ${own(name)}`,
    experiment: (name) => `التجربة ${own(name)}`,
    default: () => "الافتراضي",
  },
  condition,
  met: "صحيح",
  notMet: "غير صحيح",
  notGiven: "غير مذكور",
  got: (value) => `القيمة ${own(value)}`,

  inAudit: "فتح في سجل التدقيق",
  noAudit: "لم يحدث شيء لهذا الحساب.",

  account: "الحساب",
  since: "تاريخ الإضافة",
  password: "كلمة مرور لوحة التحكم",
  hasPassword: "معيّنة",
  noPassword: "لا توجد",
  adminsOnly: "الأدوار والمحو من شأن المسؤولين.",
  adminAccount: "هذا مسؤول. أدواره وبياناته ومحوه من شأن المسؤولين.",
  data: "نسخة من بياناته",
  dataHint:
    "كل ما نحتفظ به عن هذا الشخص في ملف يُسلَّم له: الحساب والجلسات وكل قرار مع إيصاله. ويسجّل سجل التدقيق أن البيانات قُرئت.",
  downloadData: "تنزيل",
  downloading: (size) => `حتى الآن ${own(size)}…`,
  downloaded: (size) => `تم التنزيل، ${own(size)}`,
  showData: "عرضها هنا",
  keptParts: {
    person: "الحساب",
    sessions: "الجلسات التي لم تنته",
    terms_shown: "الشروط المعروضة",
    decisions: "القرارات",
    receipts: "الإيصالات",
    claims: "الطلبات المربوطة بالحساب",
    audit: "قيود التدقيق",
    records: "سجل",
  },
  caseFile: "ملف القضية",
  caseFileHint:
    "ملف ZIP لمحامٍ أو محكمة: كل قرار مع إيصاله وشهادته وإثباته، والمستندات نفسها. تُفتح صفحته من دون اتصال وتفحص كل ذلك بنفسها. ويدوّن سجل التدقيق إنشاءه.",
  caseFileAsOf: "حتى تاريخ (اختياري)",
  caseFileAsOfHint: (zone) =>
    `يستبعد ما سُجّل بعد ذلك. فارغ: كل شيء حتى الآن. الأوقات بتوقيت ${own(zone)}.`,
  downloadCaseFile: "تنزيل ملف القضية",
  rolesTitle: "الأدوار",
  saveRoles: "تغيير الأدوار",
  discard: "تجاهل التغييرات",
  rolesAsk: (userId) => `تغيير أدوار ${own(userId)}؟`,
  rolesEnd: "تنتهي كل جلساته، لأن الجلسة تحمل الأدوار التي بدأت بها.",
  ownAdmin: "هذا حسابك. ستفقد صلاحية المسؤول فورًا وتخرج، ولا يعيدها إليك إلا مسؤول آخر.",
  ownRoles: "هذا حسابك: ستخرج ثم تسجّل الدخول من جديد.",
  lastAdmin: "المسؤول الوحيد. عيّن مسؤولًا آخر أولًا.",
  rolesSaved: (userId) => `تغيّرت أدوار ${own(userId)}.`,
  erase: "محو هذا الشخص",
  goes: "ما الذي يزول",
  goesHint:
    "الاسم والبريد والهاتف والأدوار والجلسات، والمفتاح الذي تُنسب به قيود السجل إليه. فورًا وإلى الأبد.",
  stays: "ما الذي يبقى",
  staysHint:
    "كل قرار في السجل دليلًا على أنه اتُّخذ، دون ذكر من اتخذه. وقيود التدقيق التي لا تحمل إلا مرجعًا. والنسخ الاحتياطية حتى تنتهي مدتها.",
  notYourself: "لا يستطيع أحد محو نفسه، ويستطيع ذلك مسؤول آخر.",
  eraseAsk: (userId) => `محو ${own(userId)} إلى الأبد؟`,
  eraseDo: "محو نهائي",
  eraseHint: "لا رجعة فيه. لن يمكن جلب إيصالاته بعد ذلك، أما التي بحوزته فتبقى صالحة.",
  typeId: (userId) => `اكتب ${own(userId)} للتأكيد`,
  erased: (userId) => `مُحيت بيانات ${own(userId)}.`,
};
