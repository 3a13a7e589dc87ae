import { queryOptions } from "@tanstack/react-query";
import { readAdmin } from "../../api/admin";

export interface Environment {
  readonly name: string;
  /** The current one; 0: nothing was saved yet. */
  readonly version: number;
  readonly created_at: string;
  readonly changed_at?: string;
  /** Since then it is not served. */
  readonly archived_at?: string;
}

/** Those that are served. */
export const environmentsQuery = queryOptions({
  queryKey: ["environments"],
  queryFn: async () => {
    const { items } = await readAdmin<{ readonly items: readonly Environment[] }>(
      "/environments?limit=200",
    );
    return items.filter(({ archived_at }) => !archived_at);
  },
  staleTime: 60_000,
});
