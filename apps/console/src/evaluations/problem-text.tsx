import { HttpError } from "@musette/client/http";
import { FailureText } from "../ui/states";
import { type EvaluationsTexts, useEvaluationsTexts } from "./texts/texts";

export const problemCode = (error: unknown): string | undefined =>
  error instanceof HttpError ? error.problem?.code : undefined;

const isKnown = (
  code: string,
  texts: EvaluationsTexts,
): code is keyof EvaluationsTexts["problems"] => code in texts.problems;

/** Explains why a request about an evaluation was refused. */
export function ProblemText({ error }: { readonly error: unknown }) {
  const texts = useEvaluationsTexts();
  if (error === null || error === undefined) return null;
  const code = problemCode(error) ?? "";
  if (!isKnown(code, texts)) return <FailureText error={error} />;
  return (
    <p className="failure" role="alert">
      {texts.problems[code]}
    </p>
  );
}
