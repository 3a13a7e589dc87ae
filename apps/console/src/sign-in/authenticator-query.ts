import { queryOptions } from "@tanstack/react-query";
import { api } from "../api/client";

/** The authenticator of the signed-in person. */
export const authenticatorQuery = queryOptions({
  queryKey: ["authenticator"],
  queryFn: () => api.get("/api/session/v1/console/authenticator"),
  staleTime: 5 * 60_000,
});
