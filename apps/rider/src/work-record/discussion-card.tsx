import { Button } from "@musette/react/ui";
import { useId, useState } from "react";
import { dateAndTime } from "../language/dates";
import { usePageLanguage } from "../language/page-language";
import { ActionError } from "./action-error";
import { MESSAGE_MAX } from "./claim";
import type { Discussion, EvaluationDetail } from "./evaluation";
import { Withdraw } from "./evaluation-actions";
import { FigureRows } from "./evaluation-facts";
import { useAction } from "./use-action";

interface Props {
  readonly userId: string;
  readonly evaluation: EvaluationDetail;
  readonly discussion: Discussion;
  readonly onChanged: () => void;
}

/** The messages of the newest discussion, when the answer is due, and a form for more. */
export function DiscussionCard(props: Props) {
  const { language, texts } = usePageLanguage();
  const { evaluation, discussion } = props;
  const { answer_due, overdue } = evaluation;
  const at = (instant: string) => dateAndTime(language.tag, instant);
  const isOpen = evaluation.status === "IN_DISCUSSION";
  return (
    <section className="card work-section">
      <h2>{texts.work.thread}</h2>
      {isOpen && answer_due && (
        <p className={overdue ? "failure" : undefined}>
          {overdue ? texts.work.overdue(at(answer_due)) : texts.work.due(at(answer_due))}
        </p>
      )}
      <Thread discussion={discussion} />
      {isOpen && <Reply {...props} />}
    </section>
  );
}

/** The messages of both sides, and the figures that are right according to the rider. */
export function Thread({ discussion }: { readonly discussion: Discussion }) {
  const { language, texts } = usePageLanguage();
  return (
    <>
      <ol className="work-thread">
        {discussion.messages.map(({ id, from, message, at: sentAt }) => (
          <li key={id} data-from={from}>
            <p className="work-from">
              <strong>{texts.work.sides[from]}</strong>
              <span className="note">{dateAndTime(language.tag, sentAt)}</span>
            </p>
            <p className="work-message" dir="auto">
              {message}
            </p>
          </li>
        ))}
      </ol>
      {discussion.figures && Object.keys(discussion.figures).length > 0 && (
        <>
          <h3>{texts.work.claimed}</h3>
          <dl className="work-facts">
            <FigureRows figures={discussion.figures} />
          </dl>
        </>
      )}
    </>
  );
}

function Reply({ userId, evaluation, discussion, onChanged }: Props) {
  const { texts } = usePageLanguage();
  const [message, setMessage] = useState("");
  const { busy, done, error, run } = useAction(userId, evaluation.id, onChanged);
  const withdrawal = useAction(userId, evaluation.id, onChanged);
  const fieldId = useId();

  async function send(): Promise<void> {
    if (message.trim() && (await run({ kind: "message", message: message.trim() }))) setMessage("");
  }

  return (
    <>
      <form
        className="work-form"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <label htmlFor={fieldId}>{texts.work.addMessage}</label>
        <textarea
          id={fieldId}
          rows={3}
          maxLength={MESSAGE_MAX}
          dir="auto"
          value={message}
          onChange={(event) => setMessage(event.target.value)}
        />
        <ActionError error={error} />
        <p className="work-live" role="status">
          {done && !message && texts.work.messageSent}
        </p>
        <div className="ways">
          <Button type="submit" kind="secondary" loading={busy}>
            {texts.work.sendMessage}
          </Button>
        </div>
      </form>
      <ActionError error={withdrawal.error} />
      {discussion.opened_by === "rider" && (
        <Withdraw busy={withdrawal.busy} onWithdraw={() => withdrawal.run({ kind: "withdraw" })} />
      )}
    </>
  );
}
