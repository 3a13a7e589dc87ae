import { queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client";

/** The environments that are not archived. */
export const environmentsQuery = queryOptions({
  queryKey: ["environments"],
  queryFn: async () => {
    const { items } = await api.get("/api/admin/v1/environments", { query: { limit: 200 } });
    return items.filter(({ archived_at }) => !archived_at);
  },
  staleTime: 60_000,
});
