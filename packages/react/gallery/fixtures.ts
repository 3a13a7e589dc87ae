import type { ConsentList, SubmissionAnswer, Term } from "@musette/client/terms";

/** Returns a fictional SHA-256. The fixtures identify documents by it. */
const hash = (letter: string) => letter.repeat(64);
export const NOW = hash("b");
export const BEFORE = hash("a");
export const SCAN = hash("c");
export const BROKEN = hash("d");
/** A document with a list, a table, a frame and a figure. */
export const PARTS = hash("e");
/** This document with a doubtful second page, which is shown as an image. */
export const DOUBTFUL = hash("f");
export const pdf = (sha256: string) => `/documents/${sha256}.pdf`;

const TITLES: Readonly<Record<string, readonly [string, string, string]>> = {
  en: ["Freelancer agreement", "Privacy notice for riders", "Marketing messages"],
  de: ["Vereinbarung für freie Mitarbeiter", "Datenschutzhinweise", "Werbenachrichten"],
  ar: ["اتفاقية العمل الحر", "إشعار الخصوصية للسائقين", "الرسائل التسويقية"],
};

/** Returns the terms of a fictional company. In a language without titles they are marked as English. */
export function terms(locale: string): readonly Term[] {
  const available = TITLES[locale] ? locale : "en";
  return (TITLES[available] ?? []).map((title, at) => ({
    id: at + 1,
    title,
    content: pdf(NOW),
    sha256: NOW,
    mandatory: at < 2,
    display_order: at + 1,
    locale: available,
    version: 1,
  }));
}

const SUMMARY: Readonly<Record<string, string>> = {
  en: "The notice period is 14 days instead of 7.",
  de: "Die Kündigungsfrist beträgt 14 statt 7 Tage.",
  ar: "مدة الإشعار 14 يومًا بدلاً من 7.",
};

/** Returns terms of which the first one replaces a version that the rider agreed to. */
export function changedTerms(locale: string): readonly Term[] {
  return terms(locale).map((term, at) =>
    at > 0
      ? term
      : {
          ...term,
          id: 11,
          version: 2,
          label: "2.0",
          replaces: 1,
          summary: SUMMARY[term.locale ?? "en"] ?? "",
          earlier_versions: [
            {
              id: 1,
              version: 1,
              label: "1.0",
              sha256: BEFORE,
              locale: term.locale ?? "en",
              material: true,
            },
          ],
        },
  );
}

/** Returns the earlier decisions of a rider, by term. */
export function decided(user_id: string, by: Readonly<Record<number, boolean>>): ConsentList {
  const consents = Object.entries(by).map(([id, accepted]) => ({
    terms_and_conditions_id: Number(id),
    accepted,
    consented_at: "2026-11-01T09:30:00.000Z",
  }));
  return { user_id, user_type: "RIDER", consents };
}

export const answer: SubmissionAnswer = {
  user_id: "",
  user_type: "APPLICANT",
  consents: [],
  recorded_at: "2026-11-21T09:30:00.000Z",
  receipt: { id: "receipt-1" },
};

/** An A4 page with bars instead of words, as an image that needs no font. */
const PAGE_IMAGE = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 595 842" width="595" height="842"><path fill="#fff" d="M0 0h595v842H0z"/>${[
    90, 150, 174, 198, 222, 270, 294, 318,
  ]
    .map((y, at) => `<path fill="#14181f" d="M72 ${y}h${at ? 450 - (at % 3) * 60 : 240}v8H72z"/>`)
    .join("")}</svg>`,
)}`;

interface DocumentText {
  readonly heading: string;
  readonly paragraphs: readonly string[];
}

const DOCUMENT_TEXTS: Readonly<Record<string, readonly [before: DocumentText, now: DocumentText]>> =
  {
    en: [
      {
        heading: "1. How the agreement ends",
        paragraphs: ["Either side may end it with a notice of 7 days.", "Equipment is given back."],
      },
      {
        heading: "1. How the agreement ends",
        paragraphs: [
          "Either side may end it with a notice of 14 days.",
          "Equipment is given back.",
        ],
      },
    ],
    ar: [
      {
        heading: "1. كيف تنتهي الاتفاقية",
        paragraphs: ["يجوز لأي طرف إنهاؤها بإشعار مدته 7 أيام.", "تُعاد المعدات."],
      },
      {
        heading: "1. كيف تنتهي الاتفاقية",
        paragraphs: ["يجوز لأي طرف إنهاؤها بإشعار مدته 14 يومًا.", "تُعاد المعدات."],
      },
    ],
  };

function blocks(locale: string, version: 0 | 1) {
  const dir = locale === "ar" ? "rtl" : "ltr";
  const words = (DOCUMENT_TEXTS[locale] ?? DOCUMENT_TEXTS.en)?.[version];
  const paragraphs = words?.paragraphs.map((text) => ({ page: 1, kind: "paragraph", text, dir }));
  return [{ page: 1, kind: "heading", level: 1, text: words?.heading, dir }, ...(paragraphs ?? [])];
}

interface Parts {
  readonly steps: readonly [string, string];
  readonly table: readonly (readonly [string, string])[];
  readonly framed: string;
  readonly picture: string;
  readonly note: string;
  readonly doubtful: string;
}

const PARTS_IN: Readonly<Record<string, Parts>> = {
  en: {
    steps: ["Bring the bag to the depot.", "Keep the receipt for 7 days."],
    table: [
      ["Equipment", "Deposit"],
      ["Bag", "€20.00"],
      ["Winter jacket", "€45.00"],
    ],
    framed: "Nobody pays for what is worn out.",
    picture: "1 2 3",
    note: "1 Paid back within 7 days.",
    doubtful: "The words of a page whose order could not be told.",
  },
  ar: {
    steps: ["أحضر الحقيبة إلى المستودع.", "احتفظ بالإيصال 7 أيام."],
    table: [
      ["المعدات", "التأمين"],
      ["حقيبة", "20,00 €"],
      ["سترة شتوية", "45,00 €"],
    ],
    framed: "لا يدفع أحد ثمن ما بلي.",
    picture: "1 2 3",
    note: "1 يُعاد خلال 7 أيام.",
    doubtful: "كلمات صفحة لم يُعرف ترتيبها.",
  },
};

function parts(locale: string) {
  const dir = locale === "ar" ? "rtl" : "ltr";
  const words = PARTS_IN[locale] ?? (PARTS_IN.en as Parts);
  const block = { page: 1, dir };
  return [
    ...blocks(locale, 1),
    ...words.steps.map((step, at) => ({
      ...block,
      kind: "item",
      text: `${at + 1}. ${step}`,
      marker: `${at + 1}.`,
      depth: 1,
    })),
    {
      ...block,
      kind: "table",
      text: words.table.map((row) => row.join(" · ")).join("\n"),
      rows: words.table.map((row, at) => row.map((text) => ({ text, dir, head: at === 0 }))),
    },
    { ...block, kind: "paragraph", text: words.framed, framed: 1 },
    {
      ...block,
      kind: "figure",
      text: words.picture,
      area: { x: 72, y: 260, width: 451, height: 70 },
    },
    { ...block, kind: "note", text: words.note },
    { ...block, page: 2, kind: "paragraph", text: words.doubtful },
  ];
}

/** Returns the content of a file that the server provides for a document. */
function documentFile(locale: string, path: string): unknown {
  const [, sha256 = "", name] = /^\/documents\/(\w{64})\/(\w+)\.json$/.exec(path) ?? [];
  if (name === "reading") {
    if (sha256 === PARTS || sha256 === DOUBTFUL) return { blocks: parts(locale) };
    return { blocks: sha256 === SCAN ? [] : blocks(locale, sha256 === BEFORE ? 0 : 1) };
  }
  if (name === "lines") return { lines: [] };
  if (name !== "manifest") return undefined;
  const src = sha256 === BROKEN ? "missing.png" : PAGE_IMAGE;
  const page = { width: 595, height: 842, src, src2x: src, lines: "lines.json" };
  const text = sha256 === SCAN ? "" : "text.txt";
  const doubts = sha256 === DOUBTFUL ? [{ page: 2, kind: "order" }] : [];
  return { pages: [page, { ...page, src: `${src}#2` }], text, reading: "reading.json", doubts };
}

/** Replaces `fetch` with a fake server, so that the gallery needs no network. */
export function serve(locale: string): void {
  globalThis.fetch = async (input) => {
    const url = input instanceof Request ? input.url : String(input);
    const body = documentFile(locale, new URL(url, location.href).pathname);
    return body === undefined ? new Response("", { status: 404 }) : Response.json(body);
  };
}
