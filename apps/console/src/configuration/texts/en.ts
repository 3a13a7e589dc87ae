export const en = {
  environment: "Environment",
  none: "There is no environment yet.",
  noneIsMine: "None of the environments is yours.",
  notThere: (missing: string, env: string) =>
    `There is no environment ${missing} here, or it is not yours. This is ${env}.`,
  noneHint: "An environment holds one set of flags, such as production or staging.",
  addFirst: "Add the first environment",
  askAdmin: "An admin adds the first one in the settings.",
  keyForm:
    "1 to 100 lower-case letters, digits, dots, dashes and underscores; the first is a letter or digit.",
  tabs: { label: "Flags", flags: "Flags" },
  flag: "Flag",
  comment: "Comment",
  showChanges: "Show what changes",
  reverted: (version: string) => `Everything is as in version ${version} again.`,
  notReverted: "Not taken back: somebody else has changed something since. See the history.",
  planTitle: "Schedule a change",
  planWhat: "What is to happen",
  whats: { on: "Switch it on", off: "Switch it off", edited: "Save it as it is being edited" },
  planned: {
    on: (flag: string) => `switch ${flag} on`,
    off: (flag: string) => `switch ${flag} off`,
    edited: (flag: string) => `change ${flag}`,
  },
  planAt: "When",
  inZone: (zone: string) => `In ${zone}.`,
  planHint:
    "Whatever others change until then stays. Should somebody change this very flag, the scheduled change fails rather than undoing that.",
  planIt: "Schedule",
  isPlanned: "Scheduled. It is listed under Scheduled, where it can be cancelled.",
  isPlannedIfApproved:
    "Scheduled. Colleagues must approve it before that time: it waits under Approvals.",

  copyTitle: (flag: string) => `Copy ${flag}`,
  copyHint:
    "With the segments and attributes that it needs. Whether it is switched on over there stays as it is.",
  copyTo: "To environment",
  copyComment: (flag: string, from: string) => `${flag} copied from ${from}`,
  copied: (flag: string, to: string) => `${flag} is in ${to} now.`,
  restored: "What you had not saved is back.",
  discardDraft: "Discard it",
  unsaved: "Changes that are not saved",
  newUnsaved: "Not saved yet",
  discard: "Discard",
  review: "Review and save",
};
