import { newIdempotencyKey } from "@musette/client/terms";
import { Button } from "@musette/react/ui";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toasts } from "../toast/toasts";
import { ChoiceField } from "../ui/choice-field";
import { InstantField } from "../ui/instant-field";
import { TextArea } from "../ui/text-area";
import { RestrictionProblem } from "./restriction-problem";
import styles from "./restrictions.module.css";
import {
  answerReview,
  type RestrictionDetail,
  type ReviewAnswer,
  refreshRestrictions,
} from "./restrictions-queries";
import { useRestrictionsTexts } from "./texts/texts";

const ANSWER_MIN = 50;
const OUTCOMES = ["upheld", "changed", "lifted"] as const;

/** Answers the review that the rider requested. */
export function AnswerReview({ restriction }: { readonly restriction: RestrictionDetail }) {
  const texts = useRestrictionsTexts();
  const client = useQueryClient();
  const [outcome, setOutcome] = useState<ReviewAnswer["outcome"]>("upheld");
  const [end, setEnd] = useState("");
  const [message, setMessage] = useState("");
  const [isChecked, setChecked] = useState(false);
  const [key, setKey] = useState(newIdempotencyKey);
  const isTooShort = [...message.trim()].length < ANSWER_MIN;
  const isEndMissing = outcome === "changed" && end === "";
  const sending = useMutation({
    mutationFn: () => {
      const body = { outcome, message: message.trim() };
      return answerReview(
        restriction.id,
        outcome === "changed" ? { ...body, ends_at: end } : body,
        key,
      );
    },
    onSuccess: async () => {
      toasts.say(texts.answered);
      await refreshRestrictions(client);
    },
    onError: () => setKey(newIdempotencyKey()),
  });
  return (
    <form
      className={`card ${styles.section}`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setChecked(true);
        if (!isTooShort && !isEndMissing && !sending.isPending) sending.mutate();
      }}
    >
      <h2>{texts.answer}</h2>
      <ChoiceField
        label={texts.outcome}
        hint={texts.consequences[outcome]}
        value={outcome}
        options={OUTCOMES.map((value) => ({ value, label: texts.outcomes[value] }))}
        onChange={setOutcome}
      />
      {outcome === "changed" && (
        <InstantField
          label={texts.newEnd}
          value={end}
          isInvalid={isChecked && isEndMissing}
          onChange={setEnd}
        />
      )}
      <TextArea
        label={texts.messageToRider}
        hint={texts.answerHint}
        error={isChecked && isTooShort ? texts.problems.message_too_short : undefined}
        rows={5}
        value={message}
        onChange={setMessage}
      />
      {sending.error && <RestrictionProblem error={sending.error} />}
      <Button type="submit" className={styles.back} loading={sending.isPending}>
        {texts.sendAnswer}
      </Button>
    </form>
  );
}
