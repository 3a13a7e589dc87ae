import { HttpError } from "@musette/client/http";

/** How many people must approve, and how many have. */
export interface Approvals {
  readonly needed: number;
  readonly given: number;
}

/** What is missing where a change was refused because nobody, or too few, have approved it. */
export function approvalRequired(error: unknown): Approvals | undefined {
  if (!(error instanceof HttpError) || error.problem?.code !== "approval_required")
    return undefined;
  const { needed = 1, given = 0 } = error.problem as Partial<Approvals>;
  return { needed, given };
}
