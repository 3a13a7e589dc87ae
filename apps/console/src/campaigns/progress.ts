import type { Campaign } from "./campaigns-queries";

export interface Totals {
  readonly waiting: number;
  readonly accepted: number;
  readonly bounced: number;
  readonly failed: number;
  readonly skipped: number;
  /** Messages with an outcome. */
  readonly settled: number;
  /** Messages with an outcome, and those that wait for one. */
  readonly prepared: number;
  /** Waiting messages that the server sends by itself, in contrast to those that an app fetches. */
  readonly queued: number;
}

/** Adds the numbers of all steps. */
export function totalsOf({ steps }: Pick<Campaign, "steps">): Totals {
  const sum = (name: keyof Campaign["steps"][number]["progress"]) =>
    steps.reduce((total, { progress }) => total + progress[name], 0);
  const [waiting, accepted, bounced] = [sum("waiting"), sum("accepted"), sum("bounced")];
  const [failed, skipped] = [sum("failed"), sum("skipped")];
  const settled = accepted + bounced + failed;
  const queued = totalOfQueued(steps);
  return {
    waiting,
    accepted,
    bounced,
    failed,
    skipped,
    settled,
    prepared: settled + waiting,
    queued,
  };
}

const totalOfQueued = (steps: Campaign["steps"]) =>
  steps
    .filter(({ channel }) => channel !== "app")
    .reduce((total, { progress }) => total + progress.waiting, 0);

/** Returns the step that is sent next: the first that is not due yet. */
export function upcomingStep({ steps, status }: Pick<Campaign, "steps" | "status">, now: number) {
  if (status !== "running" && status !== "paused") return undefined;
  const future = steps.filter(({ due_at: due }) => due !== null && Date.parse(due) > now);
  return future.sort((a, b) => Date.parse(a.due_at ?? "") - Date.parse(b.due_at ?? ""))[0];
}
