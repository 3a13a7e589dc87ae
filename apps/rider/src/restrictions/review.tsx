import { newIdempotencyKey } from "@musette/client/terms";
import { Button } from "@musette/react/ui";
import { type FormEvent, useId, useRef, useState } from "react";
import { dateAndTime } from "../language/dates";
import { usePageLanguage } from "../language/page-language";
import { storedAnswer, storeForUser } from "../offline/stored-answers";
import { ActionError } from "../work-record/action-error";
import { MESSAGE_MAX } from "../work-record/claim";
import { canRequestReview, type Restriction, requestReview } from "./restriction";

interface Props {
  readonly userId: string;
  readonly restriction: Restriction;
  readonly onChanged: () => void;
}

/** The review of a restriction: its form, the due date, or the answer. */
export function Review(props: Props) {
  const { language, texts } = usePageLanguage();
  const labels = texts.restriction;
  const { restriction } = props;
  const { review } = restriction;
  if (!review) {
    return canRequestReview(restriction, new Date()) ? (
      <ReviewForm {...props} />
    ) : (
      <p className="note">{labels.reviewClosed}</p>
    );
  }
  const at = (instant: string) => dateAndTime(language.tag, instant);
  return (
    <>
      <h3>{labels.review}</h3>
      <p className="work-message" dir="auto">
        {review.message}
      </p>
      {review.outcome === null ? (
        <p className={review.overdue ? "failure" : undefined} role="status">
          {review.overdue
            ? texts.work.overdue(at(review.answer_due))
            : texts.work.due(at(review.answer_due))}
        </p>
      ) : (
        <>
          <p>
            <strong>{labels.outcomes[review.outcome]}</strong>
          </p>
          <p className="work-message" dir="auto">
            {review.answer}
          </p>
        </>
      )}
    </>
  );
}

function ReviewForm({ userId, restriction, onChanged }: Props) {
  const { texts } = usePageLanguage();
  const labels = texts.restriction;
  const draft = `review draft ${restriction.id}`;
  const [message, setMessage] = useState(() => storedAnswer<string>(draft)?.value ?? "");
  const [isOpen, setOpen] = useState(message !== "");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const last = useRef({ message: "", key: "" });
  const fieldId = useId();

  if (!isOpen) {
    return (
      <Button kind="primary" onClick={() => setOpen(true)}>
        {labels.askReview}
      </Button>
    );
  }

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    const text = message.trim();
    if (text === "" || busy) return;
    if (last.current.message !== text) last.current = { message: text, key: newIdempotencyKey() };
    setBusy(true);
    setError(undefined);
    try {
      await requestReview(userId, restriction.id, text, last.current.key);
      storeForUser(userId, draft, "");
      onChanged();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  }

  return (
    <form className="work-form" onSubmit={send}>
      <label htmlFor={fieldId}>{labels.reviewLabel}</label>
      <textarea
        // biome-ignore lint/a11y/noAutofocus: the rider pressed the button that opens this field
        autoFocus
        id={fieldId}
        rows={5}
        dir="auto"
        required
        maxLength={MESSAGE_MAX}
        value={message}
        onChange={(event) => {
          setMessage(event.target.value);
          storeForUser(userId, draft, event.target.value);
        }}
      />
      <p className="note">{labels.reviewHint}</p>
      <ActionError error={error} />
      <div className="ways">
        <Button type="submit" loading={busy}>
          {labels.sendReview}
        </Button>
      </div>
    </form>
  );
}
