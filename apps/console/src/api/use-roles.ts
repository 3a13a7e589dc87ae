import { useQuery } from "@tanstack/react-query";
import { meQuery } from "./me";

const NONE: readonly string[] = [];

/** Returns the roles of the signed-in person; none until they are known. */
export const useRoles = (): readonly string[] => useQuery(meQuery).data?.roles ?? NONE;
