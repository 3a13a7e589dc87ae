import { queryOptions } from "@tanstack/react-query";
import { api } from "./client";
import type { Wire } from "./wire";

export type Me = Wire<"MeBody">;

/** Whose console this is. What is offered follows the roles; what is allowed, the server decides. */
export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: () => api.get("/api/session/v1/me"),
  staleTime: 60_000,
});

export const isOperator = (me: Me) => me.roles.includes("operator") || me.roles.includes("admin");
