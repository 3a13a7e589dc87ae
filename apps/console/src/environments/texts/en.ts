export const en = {
  owner: "Owner",
  older: "Show older ones",
  discard: "Discard",

  historyTitle: "History of flags",
  historyIntro: (zone: string) =>
    `Every version that was ever served, the newest first. Choose one to see what it changed. Times in ${zone}.`,
  noHistory: "Nothing was saved here yet.",
  noHistoryHint:
    "Each change of a flag, a segment or a holdout is a version that one can go back to.",
  noComment: "No comment",
  byItself: "by itself, or a command",
  current: "current",
  compared: "Two versions compared",
  from: "From version",
  to: "To version",
  closeCompared: "Close",
  goBackTo: (version: string) => `Go back to version ${version}`,
  goBackComment: (version: string) => `back to version ${version}`,

  plannedTitle: "Scheduled changes",
  plannedIntro: (zone: string) =>
    `Changes that happen by themselves, at a time of their own. Times in ${zone}.`,
  newPlan: "Schedule a change",
  noPlans: "Nothing is scheduled.",
  noPlansHint:
    "Schedule one when a flag is to be switched on Monday at nine, and nobody should have to be there for it.",
  statuses: { waiting: "scheduled", done: "applied", cancelled: "cancelled", refused: "failed" },
  plannedBy: (author: string, at: string) => `Scheduled by ${author}, ${at}`,
  refusedBecause: "It did not become current: by then somebody had changed the same.",
  whatChanges: "What changes",
  cancelPlan: "Cancel change",
  cancelTitle: "Cancel this scheduled change?",
  cancelText: (at: string) => `Nothing will happen at ${at}.`,
  cancelled: "The scheduled change is cancelled.",
  copyAll: "Copy all from…",
  copyAllTitle: (to: string) => `Copy everything to ${to}`,
  copyAllHint: "Flags that are only here are removed. You see all of it before it is saved.",
  copyFrom: "From environment",
  copyAllComment: (from: string, version: string) => `copied from ${from}, version ${version}`,
  copiedAll: (from: string, to: string) => `${to} is now as ${from}.`,

  staleTitle: "Stale flags",
  staleIntro:
    "Flags that decide nothing any more. Take them out of the apps’ code first, then here.",
  why: "Reason",
  asked: "Asked for",
  reasons: {
    one_value: (days: string, variation: string) =>
      `For ${days} days everybody got “${variation}”.`,
    unused: (days: string, _variation: string) => `For ${days} days no app asked for it.`,
    rollout_complete: (_days: string, _variation: string) => "Its rollout has reached everybody.",
  },
  noStale: "No flag is stale.",
  noStaleHint: (days: string) =>
    `Flags appear here that give everybody the same for ${days} days, that nobody asks for, or whose rollout is complete.`,

  jsonTitle: "Flags as JSON",
  jsonIntro: "The whole configuration as one text, for changes in many places at once.",
  jsonRestored: "What you typed before is still here.",
  noJson: (line: string, column: string) => `Invalid JSON at line ${line}, column ${column}.`,
  line: (line: string) => `Line ${line}`,
  noFaults: "No errors. It can be saved.",
  check: "Check",
  review: "Review and save",
  savedAs: (version: string) => `Saved as version ${version}.`,
  import: "Open a file",
  export: "Download",
  flag: "Flag",
  showChanges: "Show what changes",
  reverted: (version: string) => `Everything is as in version ${version} again.`,
};
