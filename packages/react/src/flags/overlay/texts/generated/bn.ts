// Generated from bn.arb by tools/texts. Do not edit.
import type { Texts } from "./texts";

const numbers = new Intl.NumberFormat("bn");

/** The words of bn.arb. */
export const texts: Texts = {
  lang: "bn",
  dir: "ltr",
  title: "ফ্ল্যাগ",
  open: "ফ্ল্যাগ দেখান",
  close: "বন্ধ করুন",
  search: "ফ্ল্যাগ খুঁজুন",
  nobody: "এখনো কোনো ব্যবহারকারী ঠিক করা হয়নি।",
  person: "ব্যক্তি",
  version: "সংস্করণ",
  none: "এখানে কোনো ফ্ল্যাগ নেই।",
  why: "কারণ",
  state: "অবস্থা",
  status: {
    fresh: "হালনাগাদ",
    cached: "ক্যাশ থেকে",
    fallback: "উত্তর নেই, বিকল্প মান দেখানো হচ্ছে",
  },
  stored: "সংরক্ষিত",
  reads: "যার ওপর নির্ভর করে",
  here: "এই ডিভাইসে",
  asDecided: "সিদ্ধান্ত অনুযায়ী",
  apply: "বসান",
  reset: "আগের মতো করুন",
  resetAll: "সব আগের মতো করুন",
  changed: (n: number) => `এখানে ${numbers.format(n)}টি বদলানো`,
  noJson: "এটি JSON নয়।",
  experiments: "পরীক্ষা",
  holdouts: "আলাদা রাখা দল",
  phase: "পর্যায়",
  group: {
    HELD_OUT: "আলাদা রাখা",
    COMPARISON: "তুলনার জন্য",
    GENERAL: "আলাদা রাখা নয়",
  },
};
