import { useQuery } from "@tanstack/react-query";
import { meQuery } from "../../api/me";
import type { Person } from "../people-queries";

/** Whether to offer what ends or reads an admin's account: that is up to admins, and to themselves. */
export function useMayManage(person: Person | undefined): boolean {
  const { data: me } = useQuery(meQuery);
  if (!person?.roles.includes("admin")) return person !== undefined;
  return me !== undefined && (me.roles.includes("admin") || me.user_id === person.user_id);
}
