import { queryOptions } from "@tanstack/react-query";
import { api } from "./client";
import type { Wire } from "./wire";

export type Me = Wire<"MeBody">;

/**
 * The signed-in person. The roles decide what the console offers. The server decides whether an
 * action is allowed.
 */
export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: () => api.get("/api/session/v1/me"),
  staleTime: 60_000,
});
