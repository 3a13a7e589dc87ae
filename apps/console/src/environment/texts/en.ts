import type { EnvironmentTexts } from "./texts";

export const en: EnvironmentTexts = {
  environment: "Environment",
  none: "There is no environment yet.",
  noneHint:
    "An environment holds one set of flags, such as production or staging. An admin makes the first one in the settings.",
  tabs: { label: "Flags", flags: "Flags" },
  flag: "Flag",
  owner: "Owner",
  comment: "Why",
  older: "Show older ones",
  showChanges: "Show what changes",
  discard: "Discard",

  historyTitle: "History of flags",
  historyIntro: (zone) =>
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
  goBackTo: (version) => `Go back to version ${version}`,
  goBackComment: (version) => `back to version ${version}`,
  reverted: (version) => `Everything is as in version ${version} again.`,
  notReverted: "Not taken back: somebody else has changed something since. See the history.",

  plannedTitle: "Planned changes",
  plannedIntro: (zone) =>
    `Changes that happen by themselves, at a time of their own. Times in ${zone}.`,
  newPlan: "Plan a change",
  noPlans: "Nothing is planned.",
  noPlansHint:
    "Plan one when a flag is to be switched on Monday at nine, and nobody should have to be there for it.",
  statuses: { waiting: "waiting", done: "done", cancelled: "cancelled", refused: "refused" },
  plannedBy: (author, at) => `Planned by ${author}, ${at}`,
  refusedBecause: "It did not become current: by then somebody had changed the same.",
  whatChanges: "What changes",
  cancelPlan: "Cancel change",
  cancelTitle: "Cancel this planned change?",
  cancelText: (at) => `Nothing will happen at ${at}.`,
  cancelled: "The planned change is cancelled.",
  planTitle: "Plan a change",
  planWhat: "What is to happen",
  whats: { on: "Switch it on", off: "Switch it off", edited: "Save it as it is being edited" },
  planned: {
    on: (flag) => `switch ${flag} on`,
    off: (flag) => `switch ${flag} off`,
    edited: (flag) => `change ${flag}`,
  },
  planAt: "When",
  inZone: (zone) => `In ${zone}.`,
  planHint:
    "Whatever others change until then stays. Should somebody change this very flag, the plan is refused rather than undoing that.",
  planIt: "Plan it",
  isPlanned: "Planned. It stands under Planned, where it can be cancelled.",

  copyTitle: (flag) => `Copy ${flag}`,
  copyHint:
    "With the segments and attributes that it needs. Whether it is switched on over there stays as it is.",
  copyTo: "To environment",
  copyComment: (flag, from) => `${flag} copied from ${from}`,
  copied: (flag, to) => `${flag} is in ${to} now.`,
  copyAll: "Copy all from…",
  copyAllTitle: (to) => `Copy everything to ${to}`,
  copyAllHint: "Flags that are only here are removed. You see all of it before it is saved.",
  copyFrom: "From environment",
  copyAllComment: (from, version) => `copied from ${from}, version ${version}`,
  copiedAll: (from, to) => `${to} is now as ${from}.`,

  staleTitle: "Stale flags",
  staleIntro:
    "Flags that decide nothing any more. Take them out of the apps’ code first, then here.",
  why: "Why",
  asked: "Asked for",
  reasons: {
    one_value: (days, variation) => `For ${days} days everybody got “${variation}”.`,
    unused: (days) => `For ${days} days no app asked for it.`,
    rollout_complete: () => "Its rollout has reached everybody.",
  },
  noStale: "No flag is stale.",
  noStaleHint: (days) =>
    `Flags appear here that give everybody the same for ${days} days, that nobody asks for, or whose rollout is complete.`,

  jsonTitle: "Flags as JSON",
  jsonIntro: "The whole configuration as one text, for changes in many places at once.",
  jsonRestored: "What you typed before is still here.",
  noJson: (line, column) => `No JSON from line ${line}, column ${column} on.`,
  line: (line) => `Line ${line}`,
  noFaults: "No faults. It can be saved.",
  check: "Check",
  review: "Review and save",
  savedAs: (version) => `Saved as version ${version}.`,
  import: "Open a file",
  export: "Download",
};
