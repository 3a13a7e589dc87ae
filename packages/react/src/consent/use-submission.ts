import type { Failure, Submission } from "@musette/client/terms";
import { useEffect, useRef, useState } from "react";
import type { Courier, CourierOwner, CourierSteps } from "./courier";
import type { SubmissionState } from "./submission-state";
import type { Later, LaterParts } from "./use-later";

const unreachable: Failure = { kind: "offline", final: false };

/** The state of the courier, which exists as soon as its program is loaded. */
export function useSubmission(
  { later, ask }: LaterParts,
  owner: CourierOwner,
  steps: CourierSteps,
) {
  const [state, setState] = useState<SubmissionState>({ phase: "checking" });
  const courier = useRef<Courier>(undefined);
  const latest = useRef(steps);
  useEffect(() => {
    latest.current = steps;
  });

  function courierOf(parts: Later): Courier {
    if (courier.current) return courier.current;
    courier.current = new parts.Courier(owner, () => latest.current, setState);
    courier.current.start();
    return courier.current;
  }

  const { userId, termsType, baseUrl } = owner;
  // biome-ignore lint/correctness/useExhaustiveDependencies: whose it is, and where it goes
  useEffect(() => {
    if (!later) return;
    courierOf(later);
    return () => {
      courier.current?.close();
      courier.current = undefined;
    };
  }, [later, userId, termsType, baseUrl]);

  async function send(
    decision: string,
    prepare: (parts: Later) => Promise<Submission | undefined>,
  ): Promise<void> {
    setState({ phase: "sending" });
    const parts = await ask().catch(() => undefined);
    if (parts) return courierOf(parts).send(decision, () => prepare(parts));
    setState({ phase: "failed", failure: unreachable });
  }

  // Without its program nobody can look for what waits, nor send anything before it has come.
  const shown: SubmissionState =
    later === null && state.phase === "checking" ? { phase: "idle" } : state;
  return { state: shown, courier: () => courier.current, send };
}
