import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { api } from "../api/client";
import { EVALUATIONS } from "./evaluations-queries";
import type { Assignment } from "./model";

const ASSIGNMENTS = `${EVALUATIONS}/assignments` as const;
const ASSIGNMENT = `${EVALUATIONS}/{id}/assignment` as const;
const PAGE = 200;
/** How often the console asks who works on which discussion. */
const REFRESH_MS = 15_000;

/** Who works on which discussion, in all markets of this person. */
export const assignmentsQuery = queryOptions({
  queryKey: [ASSIGNMENTS],
  queryFn: async (): Promise<readonly Assignment[]> => {
    const all: Assignment[] = [];
    let after: string | null | undefined;
    do {
      const query = { limit: PAGE, ...(after && { after }) };
      const { items, next } = await api.get(ASSIGNMENTS, { query });
      all.push(...items);
      after = next;
    } while (after);
    return all;
  },
  refetchInterval: REFRESH_MS,
});

/** Assigns the discussion to this person, or renews it. Only that of `insteadOf` is replaced. */
export const assignToMe = (id: string, insteadOf?: string): Promise<Assignment> =>
  api.put(ASSIGNMENT, {
    path: { id },
    body: insteadOf === undefined ? {} : { instead_of: insteadOf },
  });

export const endAssignment = async (id: string): Promise<void> => {
  await api.delete(ASSIGNMENT, { path: { id } });
};

export const refreshAssignments = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: assignmentsQuery.queryKey });
