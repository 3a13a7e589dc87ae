export const en = {
  title: "What changed in the text",
  show: (before: string, after: string) => `Compare the texts: ${before} and ${after}`,
  thisDraft: "this draft",
  language: "Language",
  layout: "Layout",
  layouts: { inline: "One text", "side-by-side": "Side by side" },
  onlyNow: (languages: string) => `New in this version, nothing to compare: ${languages}.`,
  nothingInCommon: "The two have no language in common that could be compared.",
  sameFile: "It is the same file, byte for byte.",
};
