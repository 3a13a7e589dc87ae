import { useQuery } from "@tanstack/react-query";
import { meQuery } from "./me";

/** Whether to offer admin actions. The server decides whether they are allowed. */
export function useIsAdmin(): boolean {
  return useQuery(meQuery).data?.roles.includes("admin") ?? false;
}
