import {
  type FailureKind,
  failureKind,
  newIdempotencyKey,
  type Submission,
  type SubmissionAnswer,
  type SubmitOptions,
} from "@musette/client/terms";
import { useRef, useState } from "react";

export type SubmissionState =
  | { readonly phase: "idle" | "sending" | "saved" }
  | { readonly phase: "failed"; readonly kind: FailureKind };

interface Attempt {
  readonly key: string;
  readonly decision: string;
  readonly submission: Submission;
}

export interface SubmissionSteps {
  build(): Submission;
  submit(submission: Submission, options: SubmitOptions): Promise<SubmissionAnswer>;
  onSaved(answer: SubmissionAnswer): void;
  onChanged(): Promise<unknown>;
}

/**
 * An answer can be lost after the decision was recorded. So the same decision goes out again with
 * the same key and the very same content, and a different one with a new key.
 */
export function useSubmission(decision: string, steps: SubmissionSteps) {
  const [state, setState] = useState<SubmissionState>({ phase: "idle" });
  const attempt = useRef<Attempt | undefined>(undefined);
  const sending = useRef(false);

  async function send(): Promise<void> {
    // A double tap comes twice before the button can be drawn as disabled.
    if (sending.current) return;
    sending.current = true;
    setState({ phase: "sending" });
    if (attempt.current?.decision !== decision) {
      attempt.current = { key: newIdempotencyKey(), decision, submission: steps.build() };
    }
    const { key, submission } = attempt.current;
    let answer: SubmissionAnswer;
    try {
      answer = await steps.submit(submission, { idempotencyKey: key });
    } catch (error) {
      const kind = failureKind(error);
      // The server has read it and said no: what is sent next is another submission.
      if (kind === "changed" || kind === "clock" || kind === "refused") attempt.current = undefined;
      if (kind === "changed") await steps.onChanged().catch(() => undefined);
      sending.current = false;
      setState({ phase: "failed", kind });
      return;
    }
    sending.current = false;
    setState({ phase: "saved" });
    // Last and outside: a fault of the host in here is not one of the submission.
    steps.onSaved(answer);
  }

  return { state, send, reset: () => setState({ phase: "idle" }) };
}
