import { useConsentsTexts } from "./texts/texts";

/** What a person may choose. */
export const outcomes = ["accepted", "declined", "withdrawn"] as const;
export type Outcome = (typeof outcomes)[number];

/** Shows whether a decision accepted, declined or withdrew. */
export function DecisionChip({ decision }: { readonly decision: Outcome }) {
  const texts = useConsentsTexts();
  return (
    <span className="chip" data-tone={decision === "accepted" ? "good" : "bad"}>
      {texts[decision]}
    </span>
  );
}
