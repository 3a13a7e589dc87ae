import type { DraftBody } from "./draft";
import type { DraftError } from "./draft-calls";

export type Obstacle = "unreadable_document" | "active_content";

const isObstacle = (code: string): code is Obstacle =>
  code === "unreadable_document" || code === "active_content";

/** Returns the problems that only need a reason. Everything else must be corrected first. */
export function reasonsNeeded(
  problems: readonly DraftError[],
  body: DraftBody,
): ReadonlySet<Obstacle> {
  const codes = problems.filter((problem) => needsReason(problem, body)).map(({ code }) => code);
  return new Set(codes.filter(isObstacle));
}

/**
 * Whether a reason can be given. A document from before the examination existed has no findings to
 * give a reason for.
 */
export function needsReason({ code, pointer }: DraftError, body: DraftBody): boolean {
  const variant = body.variants[Number(/^\/variants\/(\d+)/.exec(pointer)?.[1])];
  return isObstacle(code) && variant?.document?.findings !== undefined;
}

/** Returns one problem per language and kind: the individual findings are shown next to the document. */
export function withoutDuplicates(problems: readonly DraftError[]): readonly DraftError[] {
  const keys = new Set<string>();
  return problems.filter(({ pointer, code }) => {
    const key = `${pointer} ${code}`;
    return !keys.has(key) && keys.add(key);
  });
}
