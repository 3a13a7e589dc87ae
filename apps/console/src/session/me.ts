import { requestJson } from "@musette/client/http";
import { queryOptions } from "@tanstack/react-query";
import { session } from "./session";

export interface Me {
  readonly user_id: string;
  readonly roles: readonly string[];
  readonly sid: string;
}

/** Whose console this is. What is offered follows the roles; what is allowed, the server decides. */
export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: () => requestJson<Me>(session.fetch, "/api/session/v1/me"),
  staleTime: 60_000,
});

export const isOperator = (me: Me) => me.roles.includes("operator") || me.roles.includes("admin");
