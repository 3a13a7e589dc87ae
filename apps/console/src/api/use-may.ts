import { useQuery } from "@tanstack/react-query";
import { mayDo, type Task } from "./grants";
import { meQuery } from "./me";

/** Whether to offer what belongs to a task. The server decides whether it is allowed. */
export function useMay(): (task: Task, scope?: string) => boolean {
  const roles = useQuery(meQuery).data?.roles ?? [];
  return (task, scope) => mayDo(roles, task, scope);
}
