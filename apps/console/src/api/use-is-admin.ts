import { useQuery } from "@tanstack/react-query";
import { meQuery } from "./me";

/** Whether to offer what only admins may do; whether they may, the server decides. */
export function useIsAdmin(): boolean {
  return useQuery(meQuery).data?.roles.includes("admin") ?? false;
}
