import { useQuery } from "@tanstack/react-query";
import { mayDo, onlyWithin, type Task } from "./grants";
import { meQuery } from "./me";

/** The markets or environments where alone one may do it; none: everywhere. */
export function useOnlyWithin(task: Task): readonly string[] {
  return onlyWithin(useQuery(meQuery).data?.roles ?? [], task);
}

/** Whether to offer what belongs to a task. The server decides whether it is allowed. */
export function useMay(): (task: Task, scope?: string) => boolean {
  const roles = useQuery(meQuery).data?.roles ?? [];
  return (task, scope) => mayDo(roles, task, scope);
}
