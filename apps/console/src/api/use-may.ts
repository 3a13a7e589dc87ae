import { useQuery } from "@tanstack/react-query";
import { mayDo, onlyWithin, type Task } from "./grants";
import { meQuery } from "./me";

/**
 * Returns the markets or environments that the person's roles limit the task to; empty if there is
 * no limit.
 */
export function useOnlyWithin(task: Task): readonly string[] {
  return onlyWithin(useQuery(meQuery).data?.roles ?? [], task);
}

/** Returns whether to offer a task. The server decides whether it is allowed. */
export function useMay(): (task: Task, scope?: string) => boolean {
  const roles = useQuery(meQuery).data?.roles ?? [];
  return (task, scope) => mayDo(roles, task, scope);
}
