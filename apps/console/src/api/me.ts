import { queryOptions } from "@tanstack/react-query";
import { api } from "./client";
import type { Wire } from "./wire";

export type Me = Wire<"MeBody">;

/**
 * The signed-in person. Their roles decide what the console offers; the server decides what is
 * allowed.
 */
export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: () => api.get("/api/session/v1/me"),
  staleTime: 60_000,
});
