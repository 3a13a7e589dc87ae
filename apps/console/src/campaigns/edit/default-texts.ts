import type { TextForm } from "./form";

/** The texts that a new campaign begins with, by language and kind of the document. */
const TEXTS: Readonly<
  Partial<Record<string, { readonly consent: string; readonly notice: string }>>
> = {
  en: {
    consent: "Please read “{{title}}” and decide by {{deadline}}: {{link}}",
    notice: "“{{title}}” takes effect on {{deadline}}. Read it here: {{link}}",
  },
  de: {
    consent: "Bitte lies „{{title}}“ und entscheide bis zum {{deadline}}: {{link}}",
    notice: "„{{title}}“ gilt ab dem {{deadline}}. Hier kannst du den Text lesen: {{link}}",
  },
  fr: {
    consent: "Veuillez lire « {{title}} » et répondre avant le {{deadline}} : {{link}}",
    notice: "« {{title}} » entre en vigueur le {{deadline}}. À lire ici : {{link}}",
  },
  es: {
    consent: "Lee «{{title}}» y decide antes del {{deadline}}: {{link}}",
    notice: "«{{title}}» entra en vigor el {{deadline}}. Léelo aquí: {{link}}",
  },
  pt: {
    consent: "Leia “{{title}}” e decida até {{deadline}}: {{link}}",
    notice: "“{{title}}” entra em vigor em {{deadline}}. Leia aqui: {{link}}",
  },
  ar: {
    consent: "يرجى قراءة «{{title}}» واتخاذ قرارك قبل {{deadline}}: {{link}}",
    notice: "يسري «{{title}}» اعتبارًا من {{deadline}}. اقرأه هنا: {{link}}",
  },
};

/** Returns the first text in a language; without a body if there is none for the language. */
export function defaultText(locale: string, isNotice: boolean): TextForm {
  const text = TEXTS[locale.split("-")[0]?.toLowerCase() ?? ""];
  return { subject: "{{title}}", body: text?.[isNotice ? "notice" : "consent"] ?? "" };
}
