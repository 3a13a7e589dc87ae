import { useQueries } from "@tanstack/react-query";
import { api } from "./client";
import { useMay } from "./use-may";

/**
 * Colleagues have no market, so their names are only visible to a person who may see names
 * everywhere.
 */
const EVERYWHERE = "";

/** Returns the names of these people by user id. A person without a visible name is shown by the id. */
export function usePersonNames(userIds: readonly string[]): (userId: string) => string {
  const may = useMay()("personal", EVERYWHERE);
  const ids = [...new Set(userIds)];
  const results = useQueries({
    queries: ids.map((userId) => ({
      queryKey: ["person", userId],
      queryFn: () => api.get("/api/admin/v1/people/{userId}", { path: { userId } }),
      enabled: may,
    })),
  });
  const names = new Map(ids.map((id, index) => [id, results[index]?.data?.name]));
  return (userId) => names.get(userId) ?? userId;
}
