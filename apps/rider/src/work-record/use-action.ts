import { useRef, useState } from "react";
import type { Evaluation } from "./evaluation";
import { createAction, problemCode, type RiderAction } from "./evaluation-calls";

/**
 * Sends the rider's actions about one evaluation. After an error the same action is the same request,
 * so that it is recorded once.
 */
export function useAction(userId: string, id: string, onChanged: () => void) {
  const [state, setState] = useState<{
    readonly busy?: true;
    readonly done?: true;
    readonly error?: unknown;
  }>({});
  const last = useRef<{ readonly of: string; readonly send: () => Promise<Evaluation> }>(undefined);

  /** Returns whether the action is recorded. */
  async function run(action: RiderAction): Promise<boolean> {
    const of = JSON.stringify(action);
    if (last.current?.of !== of) last.current = { of, send: createAction(userId, id, action) };
    setState({ busy: true });
    try {
      await last.current.send();
      last.current = undefined;
      setState({ done: true });
      onChanged();
      return true;
    } catch (error) {
      // Another version exists: the page must show it next to the error.
      if (problemCode(error)) onChanged();
      setState({ error });
      return false;
    }
  }

  return { busy: state.busy ?? false, done: state.done ?? false, error: state.error, run };
}
