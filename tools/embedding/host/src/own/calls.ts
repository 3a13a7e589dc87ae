import { HttpError } from "@musette/client/http";
import type {
  ConsentList,
  Submission,
  SubmissionAnswer,
  SubmitOptions,
  Term,
  TermsQuery,
} from "@musette/client/terms";

const gateway = `${import.meta.env.VITE_GATEWAY}/gateway`;

async function call<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await fetch(gateway + path, {
    ...init,
    headers: { Authorization: "Bearer of-robin", ...init?.headers },
  });
  if (!response.ok) throw new HttpError(response, await response.json());
  return response.json();
}

export const fetchTerms = ({ termsType }: TermsQuery) => call<Term[]>(`/terms/${termsType}`);

export const fetchConsents = (userId: string) => call<ConsentList>(`/consents/${userId}`);

export const submitConsents = (submission: Submission, { idempotencyKey }: SubmitOptions) =>
  call<SubmissionAnswer>("/consents", {
    method: "POST",
    headers: { "Content-Type": "application/json", "Idempotency-Key": idempotencyKey },
    body: JSON.stringify(submission),
  });
