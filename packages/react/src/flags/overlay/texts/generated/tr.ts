// Generated from tr.arb by tools/texts. Do not edit.
import type { Texts } from "./texts";

const numbers = new Intl.NumberFormat("tr");

/** The words of tr.arb. */
export const texts: Texts = {
  lang: "tr",
  dir: "ltr",
  title: "Bayraklar",
  open: "Bayrakları göster",
  close: "Kapat",
  search: "Bayrak ara",
  nobody: "Henüz kullanıcı belirlenmedi.",
  person: "Kişi",
  version: "Sürüm",
  none: "Burada bayrak yok.",
  why: "Neden",
  state: "Durum",
  status: {
    fresh: "güncel",
    cached: "önbellekten",
    fallback: "yanıt yok, yedek değer gösteriliyor",
  },
  stored: "Kaydedildi",
  reads: "Şuna bağlı",
  here: "Bu cihazda",
  asDecided: "karar verildiği gibi",
  apply: "Ayarla",
  reset: "Sıfırla",
  resetAll: "Tümünü sıfırla",
  changed: (n: number) => `Burada ${numbers.format(n)} değişiklik`,
  noJson: "Bu JSON değil.",
  experiments: "Deneyler",
  holdouts: "Ayrılan gruplar",
  phase: "aşama",
  group: {
    HELD_OUT: "ayrıldı",
    COMPARISON: "karşılaştırma",
    GENERAL: "ayrılmadı",
  },
};
