import { useQueries } from "@tanstack/react-query";
import { api } from "./client";
import { useMay } from "./use-may";

/** No market: only whoever may see names everywhere is told the names of colleagues, who have none. */
const EVERYWHERE = "";

/** The names of these people, by user id. Who has none here, or may not be seen, keeps the id. */
export function usePersonNames(userIds: readonly string[]): (userId: string) => string {
  const may = useMay()("personal", EVERYWHERE);
  const ids = [...new Set(userIds)];
  const found = useQueries({
    queries: ids.map((userId) => ({
      queryKey: ["person", userId],
      queryFn: () => api.get("/api/admin/v1/people/{userId}", { path: { userId } }),
      enabled: may,
    })),
  });
  const names = new Map(ids.map((id, index) => [id, found[index]?.data?.name]));
  return (userId) => names.get(userId) ?? userId;
}
