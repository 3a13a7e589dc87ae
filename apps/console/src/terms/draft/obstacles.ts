import type { DraftBody } from "./draft";
import type { Fault } from "./draft-calls";

export type Obstacle = "unreadable_document" | "active_content";

const isObstacle = (code: string): code is Obstacle =>
  code === "unreadable_document" || code === "active_content";

/** What only a reason is missing for; everything else must be mended first. */
export function askedFor(problems: readonly Fault[], body: DraftBody): ReadonlySet<Obstacle> {
  const codes = problems.filter((it) => isAskedFor(it, body)).map(({ code }) => code);
  return new Set(codes.filter(isObstacle));
}

/** A document that was uploaded before documents were examined has no findings to be asked about. */
export function isAskedFor({ code, pointer }: Fault, body: DraftBody): boolean {
  const variant = body.variants[Number(/^\/variants\/(\d+)/.exec(pointer)?.[1])];
  return isObstacle(code) && variant?.document?.findings !== undefined;
}

/** One for each language and kind: the findings themselves stand beside the document. */
export function withoutRepeats(problems: readonly Fault[]): readonly Fault[] {
  const seen = new Set<string>();
  return problems.filter(({ pointer, code }) => {
    const key = `${pointer} ${code}`;
    return !seen.has(key) && seen.add(key);
  });
}
