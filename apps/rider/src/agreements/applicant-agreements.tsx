import { useCallback, useState } from "react";
import { dateAndTime } from "../language/dates";
import { usePageLanguage } from "../language/page-language";
import { LoadFailed, LoadingCards } from "../loading/states";
import { useLoad } from "../loading/use-load";
import { receiptErrorKind, receiptErrorText } from "../receipts/receipt-error";
import { receiptHref } from "../router/receipt-address";
import { Link } from "../router/router";
import { receiptOf } from "../terms/receipt";
import {
  type Application,
  applicantReceipts,
  applications,
  canStoreReceipts,
  storeReceipt,
} from "../terms/stored-receipts";
import { listedTerm } from "../terms/terms-client";
import { AgreementCard } from "./agreement-card";
import { applicantAgreements, outcomeIn } from "./agreements";
import { HistoryList } from "./history-list";
import { NothingAgreed } from "./nothing-agreed";
import { fetchStanding, withServerDecision } from "./server-standing";

/**
 * Shows the newest application on this phone. Earlier applications are lines with a date that can
 * be opened.
 */
export function ApplicantAgreements() {
  const [[newest, ...others], setAll] = useState(applications);
  if (!newest) return <NothingAgreed userId={undefined} />;
  return (
    <>
      <ApplicationAgreements
        key={newest.root}
        application={newest}
        onDecided={() => setAll(applications())}
      />
      {others.length > 0 && <OtherApplications applications={others} />}
    </>
  );
}

function ApplicationAgreements(props: {
  readonly application: Application;
  readonly onDecided: () => void;
}) {
  const { language, texts } = usePageLanguage();
  const { root, decisions } = props.application;
  const [keeps] = useState(canStoreReceipts);
  const load = useCallback(() => fetchStanding(root, language.tag), [root, language.tag]);
  const looked = useLoad(load);
  const standing = looked.state === "ready" ? looked.value : undefined;
  const agreements = applicantAgreements(decisions).map((one) => withServerDecision(one, standing));
  const termOf = (id: number) =>
    decisions.find(({ termId, term }) => termId === id && term)?.term ?? listedTerm(id);
  return (
    <>
      <p className="lead">{texts.agreements.intro}</p>
      {looked.state === "failed" && (
        <StandingUnknown error={looked.error} onRetry={looked.reload} />
      )}
      {looked.state === "loading" ? (
        <LoadingCards count={agreements.length} />
      ) : (
        <ul className="cards">
          {agreements.map((agreement) => (
            <AgreementCard
              key={agreement.term.id}
              agreement={agreement}
              outcome={outcomeIn(agreement, decisions)}
              decider={{ userId: undefined, receiptId: root }}
              onDecided={(answer) => {
                storeReceipt(receiptOf(answer, termOf, root));
                props.onDecided();
                looked.reload();
              }}
            />
          ))}
        </ul>
      )}
      <HistoryList decisions={decisions} />
      <p className="note">{keeps ? texts.agreements.onThisDevice : texts.agreements.notKeptText}</p>
    </>
  );
}

/** The list below contains only the decisions that are stored on this phone. */
function StandingUnknown(props: { readonly error: unknown; readonly onRetry: () => void }) {
  const { texts } = usePageLanguage();
  return (
    <div className="card">
      <p>{texts.agreements.standingUnknown}</p>
      {receiptErrorKind(props.error, undefined) === "otherwise" ? (
        <LoadFailed {...props} />
      ) : (
        <p>{receiptErrorText(texts, props.error, undefined)}</p>
      )}
    </div>
  );
}

function OtherApplications(props: { readonly applications: readonly Application[] }) {
  const { language, texts } = usePageLanguage();
  const newestOf = (root: string) =>
    applicantReceipts().find((receipt) => receipt.root === root)?.id ?? root;
  return (
    <section className="history">
      <h2>{texts.agreements.others}</h2>
      <p className="note">{texts.agreements.othersText}</p>
      <ol>
        {props.applications.map(({ root, appliedAt }) => (
          <li key={root}>
            <div className="history-when">
              <time dateTime={appliedAt}>{dateAndTime(language.tag, appliedAt)}</time>
              <Link href={receiptHref(newestOf(root))}>{texts.agreements.receipt}</Link>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
