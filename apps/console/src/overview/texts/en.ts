import { plural } from "../../language/plural";

export const en = {
  attention: "Needs attention",
  nothing: "Nothing needs your attention.",
  draft: (title: string) => `Draft: ${title}`,
  untitled: "Untitled",
  scheduled: (title: string, date: string) => `${title} takes effect on ${date}`,
  withdrawals: plural("en", {
    one: "# withdrawal in the last 7 days",
    other: "# withdrawals in the last 7 days",
  }),
  approvals: plural("en", {
    one: "# change waits for approval",
    other: "# changes wait for approval",
  }),
  mismatch: (key: string) => `${key}: sample ratio mismatch`,
  winner: (key: string) => `${key}: a variation is better`,
  harmed: (key: string) => `${key}: a guardrail metric is worse`,
  stale: plural("en", { one: "# stale flag", other: "# stale flags" }),
  planned: plural("en", {
    one: "# scheduled change in the next 7 days",
    other: "# scheduled changes in the next 7 days",
  }),
  unsaved: (key: string) => `${key}: unsaved changes`,
  noBackup: "No backup yet",
  oldBackup: "The last backup is older than 24 hours",
  notVerified: "The log was not verified in the last 24 hours",
  logErrors: "Log verification failed",
  webhook: (url: string) => `Webhook ${url} is disabled`,
  serviceKey: (name: string, date: string) => `Service key ${name} expires on ${date}`,
  bypassed: plural("en", {
    one: "# bypassed approval in the last 30 days",
    other: "# bypassed approvals in the last 30 days",
  }),
  codes: plural("en", {
    one: "# code not delivered in the last 24 hours",
    other: "# codes not delivered in the last 24 hours",
  }),
  discussions: plural("en", {
    one: "# open discussion",
    other: "# open discussions",
  }),
  dueSoon: plural("en", {
    one: "# answer to a rider due in the next 4 days",
    other: "# answers to riders due in the next 4 days",
  }),
  overdue: plural("en", {
    one: "# answer to a rider is overdue",
    other: "# answers to riders are overdue",
  }),
  reviews: plural("en", {
    one: "# review of a restriction waits for an answer",
    other: "# reviews of restrictions wait for an answer",
  }),
  find: "Find a person",
  findButton: "Search",
  lastPeople: "Recently opened people",
  trend: (points: string) => `${points} points in 30 days`,
  chart: "Acceptance rate, last 30 days",
  running: "Running experiments",
  participants: plural("en", { one: "# participant", other: "# participants" }),
};
