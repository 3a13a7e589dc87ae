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
  inSlot: "ضمن حصة هذه التجربة من الطبقة",
  assigned: "يحتفظ بالبديل الموزَّع عليه سابقًا",
  notTooOld: "وُزّع في المرحلة الحالية",
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
  notHere: "لا يوجد شخص بهذا المعرّف",
  notHereHint: (userId) =>
    `تحقّق من المعرّف «${own(userId)}»، أو ربما مُحي الشخص. يحتفظ السجل بقرارات الأشخاص الذين مُحيت بياناتهم دون أسمائهم.`,
  tabs: {
    label: "صفحات الشخص",
    terms: "الشروط",
    consents: "الموافقات",
    sessions: "الجلسات",
    flags: "الأعلام",
    audit: "التدقيق",
    account: "الحساب",
  },
  zone: (zone) => `الأوقات بتوقيت ${own(zone)}`,

  mayWork: "مسموح له بالعمل",
  mayNotWork: "ممنوع من العمل: وثائق إلزامية دون موافقة",
  market: "السوق",
  noMarket: "لا سوق (وثائق كل الأسواق فقط)",
  newMarket: "السوق",
  marketHint:
    "اتركه فارغًا لعدم تحديد سوق. تبقى القرارات السابقة. لا يُسأل الشخص إلا عن الوثائق الجديدة عليه.",
  saveMarket: "حفظ السوق",
  marketSaved: "حُفظ السوق",
  asOf: "الوضع في تاريخ",
  asOfHint: "يعرض نهاية هذا اليوم بتوقيتك. اتركه فارغًا للحالة الحالية.",
  now: "الآن",
  mightWork: "كان مسموحًا له بالعمل في هذا التاريخ",
  mightNotWork: "كان ممنوعًا من العمل في هذا التاريخ: وثائق إلزامية دون موافقة",
  notAddedThen: "لم يكن مضافًا بعد في هذا التاريخ",
  noTermsThen: "لم يكن أي شرط ساريًا حينها.",
  noRider: "ليس سائقًا. لا تلزمه وثائق.",
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
    undecided: "بلا قرار",
  },
  inherited: (from, to) =>
    `وافق على النسخة ${from}. النسخة ${to} تعديل طفيف، لذا تبقى هذه الموافقة سارية.`,
  grace: (until) => `مهلة حتى ${own(until)}`,
  when: "وقت القرار",
  receipt: "الإيصال",
  openReceipt: "فتح الإيصال",

  consentsIntro: (zone) => `كل القرارات، الأحدث أولًا. الأوقات بتوقيت ${own(zone)}.`,
  noConsents: "لا قرار بعد.",
  noConsentsHint: "تظهر هنا قرارات هذا الشخص مع إيصالاتها.",

  noSessions: "لا جلسات نشطة",
  noSessionsHint: "تظهر هنا الأجهزة التي سجّل هذا الشخص الدخول منها.",
  adminSessions: "هذا الشخص مسؤول. لا يرى هذه الجلسات ولا ينهيها إلا المسؤولون.",
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
  end: "إنهاء الجلسة",
  endTitle: (device) => `إنهاء الجلسة على ${own(device)}؟`,
  endHint: "يجب أن يسجّل الشخص الدخول من جديد على هذا الجهاز.",
  ended: "انتهت الجلسة.",
  endAll: "إنهاء كل الجلسات",
  endAllTitle: (userId) => `تسجيل خروج ${own(userId)} من كل الأجهزة؟`,
  endAllHint: "يُرفض الطلب التالي من كل جهاز ويُطلب تسجيل الدخول من جديد.",
  endedAll: "انتهت كل الجلسات.",

  flagsIntro: "البدائل التي يحصل عليها هذا الشخص الآن، والسبب. لا تُحسب هذه المعاينة في التجارب.",
  noEnvironment: "لا توجد بيئة بعد.",
  noEnvironmentHint: "تُقدَّم الأعلام لكل بيئة على حدة، مثل الإنتاج والاختبار.",
  toEnvironments: "إلى البيئات",
  noFlags: "لا أعلام في هذه البيئة.",
  environment: "البيئة",
  findFlag: "البحث عن علم",
  flagsShown: (shown, all) => (shown === all ? flagsOf(all) : `${shown} من ${flagsOf(all)}`),
  attributes: "السمات",
  attributesHint:
    "ترسل التطبيقات السمات مع كل تقييم. لا يحفظها Musette. أدخل السمات التي تستخدمها قواعدك، مثل المدينة أو إصدار التطبيق.",
  attribute: "السمة",
  attributeValue: "القيمة",
  addAttribute: "إضافة",
  removeAttribute: (name) => `إزالة ${own(name)}`,
  on: "مفعّل",
  off: "معطّل",
  nothing: "لا شيء",
  variation: "البديل",
  noConditions: "لا شروط: ينطبق على كل الأشخاص",
  therefore: "النتيجة:",
  reasons: {
    OFF: () => "العلم معطّل",
    OVERRIDE: () => "استهداف فردي",
    PREREQUISITE_FAILED: (name) => `المتطلب السابق ${own(name)} غير متحقق`,
    HOLDOUT: (name) => `المجموعة المستبعدة ${own(name)}`,
    TARGET: (name) => `حسب الهدف ${own(name)}`,
    RULE: (name) => `انطبقت القاعدة ${own(name)}`,
    ROLLOUT: (name) => `حسب الإطلاق التدريجي ${own(name)}`,
    AB_TEST: (name) => `التجربة ${own(name)}`,
    DEFAULT: () => "لم تنطبق أي قاعدة: البديل الافتراضي",
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
  met: "مطابق",
  notMet: "غير مطابق",
  notGiven: "غير محدد",
  got: (value) => `القيمة ${own(value)}`,

  inAudit: "فتح في سجل التدقيق",
  noAudit: "لم يحدث شيء لهذا الحساب.",

  account: "الحساب",
  since: "تاريخ الإضافة",
  password: "كلمة مرور لوحة التحكم",
  hasPassword: "معيّنة",
  noPassword: "لا توجد",
  adminsOnly: "لا يغيّر الأدوار ولا يمحو الأشخاص إلا المسؤولون.",
  adminAccount: "هذا الشخص مسؤول. لا يدير هذا الحساب إلا المسؤولون.",
  data: "تصدير البيانات الشخصية",
  dataHint:
    "كل ما نحتفظ به عن هذا الشخص في ملف يُسلَّم له: الحساب والجلسات وكل قرار مع إيصاله وقيود التدقيق والمشاركة في التجارب. ويسجّل سجل التدقيق أن البيانات قُرئت.",
  downloadData: "تنزيل البيانات",
  downloading: (size) => `حتى الآن ${own(size)}…`,
  downloaded: (size) => `تم التنزيل، ${own(size)}`,
  showData: "عرض البيانات",
  keptParts: {
    person: "الحساب",
    sessions: "الجلسات التي لم تنته",
    terms_shown: "الشروط المعروضة",
    decisions: "القرارات",
    receipts: "الإيصالات",
    claims: "قرارات مربوطة من قبل الحساب",
    audit: "قيود التدقيق",
    records: "بيانات التجارب",
  },
  caseFile: "ملف القضية",
  caseFileHint:
    "ملف ZIP لمحامٍ أو محكمة: كل قرار مع إيصاله وشهادته وإثباته، والمستندات نفسها. تُفتح صفحته من دون اتصال وتفحص كل ذلك بنفسها. ويدوّن سجل التدقيق إنشاءه.",
  caseFileAsOf: "حتى تاريخ (اختياري)",
  caseFileAsOfHint: (zone) =>
    `يستبعد ما سُجّل بعد ذلك. فارغ: كل شيء حتى الآن. الأوقات بتوقيت ${own(zone)}.`,
  downloadCaseFile: "تنزيل ملف القضية",
  rolesTitle: "الأدوار",
  saveRoles: "حفظ الأدوار",
  discard: "تجاهل التغييرات",
  rolesAsk: (userId) => `تغيير أدوار ${own(userId)}؟`,
  rolesEnd: "ستنتهي كل جلسات هذا المستخدم.",
  ownAdmin: "هذا حسابك. ستفقد دور المسؤول ويُسجَّل خروجك. لا يعيده إليك إلا مسؤول آخر.",
  ownRoles: "هذا حسابك: ستخرج ثم تسجّل الدخول من جديد.",
  lastAdmin: "هذا هو المسؤول الوحيد. أضف مسؤولًا آخر أولًا.",
  rolesSaved: (userId) => `تغيّرت أدوار ${own(userId)}.`,
  erase: "محو الشخص",
  goes: "بيانات تُحذف",
  goesHint:
    "الاسم والبريد الإلكتروني ورقم الهاتف والأدوار والجلسات، والمفتاح الذي يربط قيود السجل بهذا الشخص.",
  stays: "بيانات تبقى",
  staysHint:
    "القرارات في السجل، دون ربط بالشخص. وقيود التدقيق، بمرجع مجهول. والنسخ الاحتياطية، حتى تنتهي مدتها.",
  notYourself: "لا يمكنك محو حسابك. اطلب ذلك من مسؤول آخر.",
  eraseAsk: (userId) => `محو ${own(userId)}؟`,
  eraseDo: "محو الشخص",
  eraseHint:
    "لا يمكن التراجع عن هذا. لا يمكن تنزيل الإيصالات بعد ذلك. وتبقى النسخ التي بحوزة الشخص صالحة.",
  typeId: (userId) => `اكتب ${own(userId)} للتأكيد`,
  erased: (userId) => `مُحيت بيانات ${own(userId)}.`,
};
