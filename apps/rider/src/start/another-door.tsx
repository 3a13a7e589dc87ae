import { forgetMarket } from "@musette/react/markets";
import { Button, Modal } from "@musette/react/ui";
import { useState } from "react";
import { dateAndTime } from "../language/dates";
import { usePageLanguage } from "../language/page-language";
import { CopyableId } from "../receipts/copyable-id";
import { countFreshStart } from "../router/fresh-start";
import { navigate } from "../router/router";
import { storeSentCode } from "../sign-in/sent-code";
import { applications, removeApplications } from "../terms/stored-receipts";

/** A person has applied on this phone. Another person may now start afresh. */
export function AnotherApplicant({ isPending }: { readonly isPending: boolean }) {
  const { applied } = usePageLanguage().texts;
  const [asking, setAsking] = useState(false);
  return (
    <section className="card door">
      <p>{applied.anotherHint}</p>
      <Button
        kind="secondary"
        // Without a number nothing is lost: waiting submissions are kept for the person who made
        // them.
        onClick={() => (applications().length > 0 ? setAsking(true) : startAfresh())}
      >
        {applied.another}
      </Button>
      <Modal open={asking} onClose={() => setAsking(false)} label={applied.another}>
        <BeforeForgetting isPending={isPending} onStay={() => setAsking(false)} />
      </Modal>
    </section>
  );
}

/** The number alone proves an applicant's agreement, so it is shown before this phone forgets it. */
function BeforeForgetting(props: { readonly isPending: boolean; readonly onStay: () => void }) {
  const { language, texts } = usePageLanguage();
  const { applied } = texts;
  return (
    <div className="before-forgetting">
      <h2>{applied.another}</h2>
      <p>{applied.forgetText}</p>
      <dl>
        {applications().map(({ root, appliedAt }) => (
          <div key={root}>
            <dt>
              <time dateTime={appliedAt}>{dateAndTime(language.tag, appliedAt)}</time>
            </dt>
            <dd>
              <CopyableId id={root} />
            </dd>
          </div>
        ))}
      </dl>
      {props.isPending && <p>{applied.forgetPending}</p>}
      <div className="ways">
        <Button kind="primary" onClick={startAfresh}>
          {applied.forget}
        </Button>
        <Button kind="secondary" onClick={props.onStay}>
          {applied.stay}
        </Button>
      </div>
    </div>
  );
}

/**
 * Removes everything except waiting submissions, which are sent as the decisions of the person who
 * made them.
 */
function startAfresh(): void {
  removeApplications();
  forgetMarket();
  storeSentCode(undefined);
  countFreshStart();
  navigate("/apply");
}
