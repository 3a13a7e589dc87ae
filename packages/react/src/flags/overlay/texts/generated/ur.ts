// Generated from ur.arb by tools/texts. Do not edit.
import type { Texts } from "./texts";

const numbers = new Intl.NumberFormat("ur");

/** The words of ur.arb. */
export const texts: Texts = {
  lang: "ur",
  dir: "rtl",
  title: "فلیگز",
  open: "فلیگز دکھائیں",
  close: "بند کریں",
  search: "فلیگز تلاش کریں",
  nobody: "ابھی کوئی صارف مقرر نہیں۔",
  person: "شخص",
  version: "ورژن",
  none: "یہاں کوئی فلیگ نہیں۔",
  why: "وجہ",
  state: "حالت",
  status: {
    fresh: "تازہ",
    cached: "کیش سے",
    fallback: "کوئی جواب نہیں، متبادل قدر دکھائی گئی",
  },
  stored: "محفوظ ہوا",
  reads: "انحصار",
  here: "اس آلے پر",
  asDecided: "جیسا فیصلہ ہوا",
  apply: "مقرر کریں",
  reset: "بحال کریں",
  resetAll: "سب بحال کریں",
  changed: (n: number) => `یہاں ${numbers.format(n)} تبدیل شدہ`,
  noJson: "یہ JSON نہیں ہے۔",
  experiments: "تجربات",
  holdouts: "الگ رکھے گئے گروہ",
  phase: "مرحلہ",
  group: {
    HELD_OUT: "الگ رکھا گیا",
    COMPARISON: "موازنے کے لیے",
    GENERAL: "الگ نہیں رکھا گیا",
  },
};
