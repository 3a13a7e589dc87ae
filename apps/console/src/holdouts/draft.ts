import {
  type Condition,
  type Flag,
  type FlagsDocument,
  type Holdout,
  newSalt,
  withHoldout,
} from "../configuration/document/document";
import { isNewKey } from "../configuration/document/new-key";
import {
  emptyRoles,
  type RolesDraft,
  type RolesError,
  rolesDraftOf,
  rolesErrors,
  rolesFrom,
  withNewMetric,
} from "../configuration/metrics/roles";
import type { PhaseName } from "./holdouts-search";

/** A holdout in the form. A time that is not set is empty. */
export interface Draft extends RolesDraft {
  readonly key: string;
  readonly description: string;
  readonly percent: number;
  readonly unit: string;
  readonly priority: number;
  readonly scope: Holdout["scope"];
  readonly mode: Holdout["applies"]["mode"];
  readonly flags: readonly string[];
  readonly exceptFlags: readonly string[];
  readonly tags: readonly string[];
  readonly population: Condition | null;
  readonly startAt: string;
  readonly analysisAt: string;
  readonly stopAt: string;
}

/** The held-out group is measured against a second group of the same size. */
export const PERCENT_MAX = 50;
/** A larger group withholds new features from more people than a result needs. */
export const PERCENT_USUAL = 5;

export const emptyDraft: Draft = {
  key: "",
  description: "",
  percent: 2,
  unit: "userId",
  priority: 1,
  scope: "all",
  mode: "global",
  flags: [],
  exceptFlags: [],
  tags: [],
  population: null,
  startAt: "",
  analysisAt: "",
  stopAt: "",
  ...emptyRoles,
};

export function draftOf({ applies, schedule, description, ...holdout }: Holdout): Draft {
  return {
    key: holdout.key,
    description: description ?? "",
    percent: holdout.percent,
    unit: holdout.unit,
    priority: holdout.priority,
    scope: holdout.scope,
    ...applies,
    population: holdout.population,
    startAt: schedule?.startAt ?? "",
    analysisAt: schedule?.analysisAt ?? "",
    stopAt: schedule?.stopAt ?? "",
    ...rolesDraftOf(holdout),
  };
}

export function documentWith(
  document: FlagsDocument,
  draft: Draft,
  status: Holdout["status"] | undefined,
): FlagsDocument {
  const before = document.holdouts.find(({ key }) => key === draft.key);
  const schedule = {
    startAt: draft.startAt || null,
    analysisAt: draft.analysisAt || null,
    stopAt: draft.stopAt || null,
  };
  const isGlobal = draft.mode === "global";
  const holdout: Holdout = {
    key: draft.key,
    ...(draft.description.trim() && { description: draft.description.trim() }),
    salt: before?.salt ?? newSalt(),
    unit: draft.unit,
    percent: draft.percent,
    status: status ?? before?.status ?? "draft",
    priority: draft.priority,
    scope: draft.scope,
    applies: {
      mode: draft.mode,
      exceptFlags: isGlobal ? draft.exceptFlags : [],
      flags: isGlobal ? [] : draft.flags,
      tags: isGlobal ? [] : draft.tags,
    },
    population: draft.population,
    schedule: Object.values(schedule).some(Boolean) ? schedule : null,
    ...rolesFrom(draft),
  };
  return withNewMetric(withHoldout(document, holdout), draft);
}

export type HoldoutError =
  | "key"
  | "keyForm"
  | "keyTaken"
  | "percent"
  | "applies"
  | "flags"
  | "order"
  | "priority"
  | RolesError;

/** Reports errors that the server would return as well. The server checks everything again. */
export function errorsOf(
  document: FlagsDocument,
  draft: Draft,
  isNew: boolean,
): readonly HoldoutError[] {
  const errors: HoldoutError[] = [];
  const keys = new Set(document.flags.map(({ key }) => key));
  const named = draft.mode === "global" ? draft.exceptFlags : draft.flags;
  if (!draft.key) errors.push("key");
  else if (isNew && !isNewKey(draft.key)) errors.push("keyForm");
  else if (isNew && document.holdouts.some(({ key }) => key === draft.key)) errors.push("keyTaken");
  const before = document.holdouts.find(({ key }) => key === draft.key);
  errors.push(...rolesErrors(document, draft, isNew || before?.goal !== undefined));
  if (!(draft.percent > 0 && draft.percent <= PERCENT_MAX)) errors.push("percent");
  if (draft.mode === "selected" && draft.flags.length + draft.tags.length === 0) {
    errors.push("applies");
  }
  if (named.some((key) => !keys.has(key))) errors.push("flags");
  if (!Number.isSafeInteger(draft.priority)) errors.push("priority");
  const times = [draft.startAt, draft.analysisAt, draft.stopAt].filter(Boolean);
  const at = times.map((time) => Date.parse(time));
  if (at.some((time, index) => index > 0 && time <= (at[index - 1] ?? 0))) errors.push("order");
  return errors;
}

/** Returns the current phase. The schedule advances a running holdout, but does not start a draft. */
export function phaseOf({ status, schedule }: Holdout, now: Date): PhaseName {
  const isPast = (at: string | null | undefined) => !!at && new Date(at) <= now;
  if (status === "draft" || status === "ended") return status;
  if (isPast(schedule?.stopAt)) return "ended";
  if (status === "analysis") return "analysis";
  if (schedule?.startAt && !isPast(schedule.startAt)) return "waiting";
  return isPast(schedule?.analysisAt) ? "analysis" : "running";
}

/** Whether people may change groups, so that earlier results would not match later ones. */
export const movesPeople = (before: Draft, after: Draft): boolean =>
  before.percent !== after.percent || before.unit !== after.unit;

/** Returns the flags that the holdout withholds. */
export function flagsOf(
  document: FlagsDocument,
  holdout: Pick<Holdout, "applies" | "scope">,
): readonly Flag[] {
  const { mode, exceptFlags, flags, tags } = holdout.applies;
  const hasExperiment = (flag: Flag) =>
    flag.rules.some(({ serve }) => "experiment" in serve && serve.experiment.status === "running");
  return document.flags.filter(
    (flag) =>
      !flag.archived &&
      (holdout.scope === "all" || hasExperiment(flag)) &&
      (mode === "global"
        ? !exceptFlags.includes(flag.key)
        : flags.includes(flag.key) || tags.some((tag) => flag.tags.includes(tag))),
  );
}
