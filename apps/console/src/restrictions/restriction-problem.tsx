import { problemCode } from "../evaluations/problem-text";
import { FailureText } from "../ui/states";
import { type RestrictionsTexts, useRestrictionsTexts } from "./texts/texts";

const isKnown = (
  code: string,
  texts: RestrictionsTexts,
): code is keyof RestrictionsTexts["problems"] => code in texts.problems;

/** Explains why a request about a restriction was refused. */
export function RestrictionProblem({ error }: { readonly error: unknown }) {
  const texts = useRestrictionsTexts();
  const code = problemCode(error) ?? "";
  if (!isKnown(code, texts)) return <FailureText error={error} />;
  return (
    <p className="failure" role="alert">
      {texts.problems[code]}
    </p>
  );
}
