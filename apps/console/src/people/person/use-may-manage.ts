import { useQuery } from "@tanstack/react-query";
import { meQuery } from "../../api/me";
import type { Person } from "../people-queries";

/**
 * Whether to offer the sessions and data of this account. For an admin's account, only to admins
 * and to the person themselves.
 */
export function useMayManage(person: Person | undefined): boolean {
  const { data: me } = useQuery(meQuery);
  if (!person?.roles.includes("admin")) return person !== undefined;
  return me !== undefined && (me.roles.includes("admin") || me.user_id === person.user_id);
}
