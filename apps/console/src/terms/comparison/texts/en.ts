export const en = {
  title: "Text changes",
  show: (before: string, after: string) => `Compare ${before} with ${after}`,
  thisDraft: "this draft",
  language: "Language",
  layout: "Layout",
  layouts: { inline: "Inline", "side-by-side": "Side by side" },
  onlyNow: (languages: string) => `New languages, not compared: ${languages}`,
  nothingInCommon: "The versions have no language in common.",
  sameFile: "The files are identical.",
};
