import { HttpError } from "@musette/client/http";

/** How many approvals are needed, and how many were given. */
export interface Approvals {
  readonly needed: number;
  readonly given: number;
}

/** Returns the missing approvals if the error says that a change needs approval; otherwise undefined. */
export function approvalRequired(error: unknown): Approvals | undefined {
  if (!(error instanceof HttpError) || error.problem?.code !== "approval_required")
    return undefined;
  const { needed = 1, given = 0 } = error.problem as Partial<Approvals>;
  return { needed, given };
}
