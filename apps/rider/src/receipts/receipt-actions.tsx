import type { Consent, SubmissionAnswer, Term } from "@musette/client/terms";
import { Button } from "@musette/react/ui";
import { useId, useState } from "react";
import { usePageLanguage } from "../language/page-language";
import { LoadFailed, LoadingCards } from "../loading/states";
import type { Loaded } from "../loading/use-load";
import { receiptHref } from "../router/receipt-address";
import { Link } from "../router/router";
import { signInHref } from "../router/sign-in-address";
import { AgreeSwitch } from "../terms/agree-switch";
import { type Decision, receiptOf } from "../terms/receipt";
import {
  applicantReceipts,
  canStoreReceipts,
  storedReceipt,
  storeReceipt,
} from "../terms/stored-receipts";
import { JoinButton } from "./join-button";
import type { Opened } from "./opened-receipt";
import { receiptErrorKind, receiptErrorText } from "./receipt-error";

interface Props {
  readonly id: string;
  readonly userId: string | undefined;
  readonly loaded: Loaded<Opened> & { readonly reload: () => void };
}

/** The actions for an applicant's receipt. They appear once the current decisions are known. */
export function ReceiptActions({ id, userId, loaded }: Props) {
  const { texts } = usePageLanguage();
  // In the place of the actions, which only an applicant's receipt has.
  if (loaded.state === "loading") return storedReceipt(id, "") && <LoadingCards count={2} />;
  if (loaded.state === "failed") {
    if (receiptErrorKind(loaded.error, userId) === "otherwise") {
      return <LoadFailed error={loaded.error} onRetry={loaded.reload} />;
    }
    return <p className="card">{receiptErrorText(texts, loaded.error, userId)}</p>;
  }
  if (!loaded.value.ofApplicant) return null;
  return (
    <>
      <Choices id={id} opened={loaded.value} onDecided={loaded.reload} />
      {userId === undefined && <WithoutAccount id={id} opened={loaded.value} />}
    </>
  );
}

/** Asks a signed-in rider whether an applicant's receipt is theirs, before anything else on the page. */
export function JoinReceipt({ id, userId, loaded }: Props) {
  const { texts } = usePageLanguage();
  const ofApplicant =
    loaded.state === "ready" ? loaded.value.ofApplicant : storedReceipt(id, "") !== undefined;
  if (userId === undefined || !ofApplicant) return null;
  return (
    <section className="card join">
      <h2>{texts.join.byNumberTitle}</h2>
      <p>{texts.join.byNumberText}</p>
      <JoinButton id={id} userId={userId} onJoined={loaded.reload} />
    </section>
  );
}

/** Offers the terms that may be withdrawn, with the switch of "My agreements". */
function Choices(props: {
  readonly id: string;
  readonly opened: Opened;
  readonly onDecided: () => void;
}) {
  const { texts } = usePageLanguage();
  const [latest, setLatest] = useState<string>();
  const { receipt, standing } = props.opened;
  const optional = receipt.decisions.filter(({ term }) => term && !term.mandatory);
  if (optional.length === 0) return null;

  function decided(answer: SubmissionAnswer): void {
    const stored = applicantReceipts().find(({ id }) => id === props.id);
    const termOf = (id: number) =>
      receipt.decisions.find(({ termId, term }) => termId === id && term)?.term;
    // If the application is stored on this phone, its list must include the new receipt.
    if (stored) storeReceipt(receiptOf(answer, termOf, stored.root));
    setLatest(answer.receipt.id);
    props.onDecided();
  }

  return (
    <section className="card choices">
      <h2>{texts.receipt.today}</h2>
      <p className="note">{texts.receipt.todayText}</p>
      <ul>
        {optional.map((decision) => (
          <Choice
            key={decision.termId}
            id={props.id}
            decision={decision}
            standing={standing}
            onDecided={decided}
          />
        ))}
      </ul>
      <div role="status">
        {latest && (
          <p>
            {texts.receipt.recorded} <Link href={receiptHref(latest)}>{texts.receipt.newest}</Link>
          </p>
        )}
      </div>
    </section>
  );
}

function Choice(props: {
  readonly id: string;
  readonly decision: Decision;
  readonly standing: readonly Consent[];
  readonly onDecided: (answer: SubmissionAnswer) => void;
}) {
  const titleId = useId();
  const { decision, standing } = props;
  const now = standing.find((consent) => consent.terms_and_conditions_id === decision.termId);
  const accepted = now?.accepted ?? decision.accepted;
  const term = decision.term as Term;
  return (
    <li>
      <bdi id={titleId} className="term-title">
        {term.title}
      </bdi>
      <AgreeSwitch
        agreement={{ term, decision: { ...decision, accepted } }}
        decider={{ userId: undefined, receiptId: props.id }}
        onDecided={props.onDecided}
        titleId={titleId}
      />
    </li>
  );
}

function WithoutAccount({ id, opened }: { readonly id: string; readonly opened: Opened }) {
  const { texts } = usePageLanguage();
  const [isStored, setStored] = useState(() =>
    applicantReceipts().some((receipt) => receipt.id === id),
  );
  const [tried, setTried] = useState<"kept" | "notKept">();

  function keep(): void {
    storeReceipt(opened.receipt);
    setStored(true);
    setTried(canStoreReceipts() ? "kept" : "notKept");
  }

  return (
    <section className="card join">
      <h2>{texts.join.later}</h2>
      <p>{texts.join.laterText}</p>
      <div className="ways">
        <Link className="mu-button" data-kind="secondary" href={signInHref(receiptHref(id))}>
          {texts.signIn.title}
        </Link>
        {!isStored && (
          <Button kind="secondary" onClick={keep}>
            {texts.receipt.keepHere}
          </Button>
        )}
      </div>
      <div role="status">
        {tried && <p>{tried === "kept" ? texts.receipt.keptHere : texts.receipt.notKept}</p>}
      </div>
    </section>
  );
}
