import { useCallback, useEffect, useState } from "react";
import { dateAndTime } from "../language/dates";
import { usePageLanguage } from "../language/page-language";
import { CalmPage, LoadFailed, LoadingCards } from "../loading/states";
import { AsOf } from "../offline/offline-note";
import { useStoredLoad } from "../offline/use-stored-load";
import { PushCard } from "../push/push-card";
import { numberIn, receiptHref } from "../router/receipt-address";
import { belongsToAnotherPerson, Link, navigate, useFragment } from "../router/router";
import { signInHref } from "../router/sign-in-address";
import { useUserId } from "../session/session";
import { type Decision, type StoredReceipt, termTitle } from "../terms/receipt";
import { canStoreReceipts, storedReceipt } from "../terms/stored-receipts";
import { versionName } from "../terms/version-name";
import { CopyableId } from "./copyable-id";
import { OpenReceipt } from "./open-receipt";
import { openReceipt } from "./opened-receipt";
import { JoinReceipt, ReceiptActions } from "./receipt-actions";
import { ReceiptCode, type ReceiptLink } from "./receipt-code";
import { type ReceiptErrorKind, receiptErrorKind } from "./receipt-error";
import { ReceiptProof } from "./receipt-proof";
import { ShareButton } from "./share-button";

/** Shows the receipt whose number is in the address; without a number, a field for it. */
export function ReceiptPage() {
  const fragment = useFragment();
  const id = numberIn(fragment);
  const userId = useUserId();
  const ofAnother = belongsToAnotherPerson();
  useEffect(() => {
    // Removes the number as well: it must not stay in the address for the next person who goes back
    // to it.
    if (ofAnother) navigate("/receipt", { replace: true });
  }, [ofAnother]);
  if (ofAnother) return <LoadingCards count={1} />;
  if (!id) return <OpenReceipt key={fragment} typed={fragment} />;
  // Another person or another receipt: nothing that was shown before may remain.
  return <LoadedReceipt key={`${userId} ${id}`} id={id} userId={userId} />;
}

interface ReceiptProps {
  readonly id: string;
  readonly userId: string | undefined;
}

/**
 * Shows the copy on this device at once, without a connection; otherwise fetches the receipt by its
 * number.
 */
function LoadedReceipt({ id, userId }: ReceiptProps) {
  const { language } = usePageLanguage();
  const load = useCallback(() => openReceipt(id, userId, language.tag), [id, userId, language.tag]);
  const loaded = useStoredLoad(`receipt ${id} ${language.tag}`, load);
  const receipt = storedReceipt(id, userId) ?? (loaded.state === "ready" && loaded.value.receipt);
  if (receipt) {
    return (
      <Receipt
        receipt={receipt}
        link={loaded.state === "ready" ? loaded.value.link : undefined}
        first={<JoinReceipt id={id} userId={userId} loaded={loaded} />}
      >
        <AsOf at={loaded.keptAt} />
        <ReceiptActions id={id} userId={userId} loaded={loaded} />
      </Receipt>
    );
  }
  if (loaded.state !== "failed") return <LoadingCards count={1} />;
  const kind = receiptErrorKind(loaded.error, userId);
  if (kind === "otherwise") return <LoadFailed error={loaded.error} onRetry={loaded.reload} />;
  return <NotOpened id={id} kind={kind} />;
}

function Receipt(props: {
  readonly receipt: StoredReceipt;
  readonly link: ReceiptLink | undefined;
  /** Shown above the facts. */
  readonly first: React.ReactNode;
  readonly children: React.ReactNode;
}) {
  const { receipt, link } = props;
  const { language, texts } = usePageLanguage();
  const userId = useUserId();
  const agreed = receipt.decisions.some(({ accepted }) => accepted);
  return (
    <article className="receipt">
      <div className="receipt-head">
        <svg className="seal" aria-hidden="true" viewBox="0 0 48 48">
          <circle cx="24" cy="24" r="22" />
          <path d="m14 25 7 7 14-15" />
        </svg>
        <h1>{agreed ? texts.receipt.title : texts.receipt.titleRecorded}</h1>
      </div>
      {props.first}
      <dl className="card facts">
        <dt>{texts.receipt.when}</dt>
        <dd>
          <time dateTime={receipt.recordedAt}>{dateAndTime(language.tag, receipt.recordedAt)}</time>
        </dd>
        <dt>{texts.receipt.what}</dt>
        <dd>
          <ul className="decided">
            {receipt.decisions.map((decision) => (
              <DecidedTerm key={decision.termId} decision={decision} />
            ))}
          </ul>
        </dd>
        <dt>{texts.receipt.id}</dt>
        <dd>
          <CopyableId id={receipt.id}>
            <ShareButton id={receipt.id} url={link?.url} />
          </CopyableId>
          {receipt.userId === "" && <KeepNumber />}
        </dd>
      </dl>
      {props.children}
      {agreed && userId !== undefined && receipt.userId === userId && <PushCard userId={userId} />}
      {receipt.signed && <ReceiptProof receipt={receipt} signed={receipt.signed} />}
      <Link className="mu-button wide" data-kind="primary" href="/agreements">
        {texts.receipt.toAgreements}
      </Link>
      {link && <ReceiptCode {...link} />}
    </article>
  );
}

/** Asks an applicant to keep the number: nothing else leads to their agreement. */
function KeepNumber() {
  const { texts } = usePageLanguage();
  const [keeps] = useState(canStoreReceipts);
  return (
    <>
      {!keeps && (
        <p className="failure" role="alert">
          {texts.receipt.notKept}
        </p>
      )}
      <p className="note">{texts.receipt.keep}</p>
    </>
  );
}

function DecidedTerm({ decision }: { readonly decision: Decision }) {
  const { texts } = usePageLanguage();
  const { accepted, term, termId } = decision;
  const version = versionName(texts, term);
  return (
    <li data-accepted={accepted}>
      <bdi className="term-title">{termTitle(term, termId)}</bdi>
      <span className="term-facts">
        {version && <span>{version}</span>}
        <strong>{accepted ? texts.receipt.agreed : texts.receipt.notAgreed}</strong>
      </span>
    </li>
  );
}

function NotOpened(props: {
  readonly id: string;
  readonly kind: Exclude<ReceiptErrorKind, "otherwise">;
}) {
  const { texts } = usePageLanguage();
  const { kind } = props;
  const { missingTitle, errors, open } = texts.receipt;
  return (
    <CalmPage title={missingTitle} text={errors[kind]}>
      {kind === "ofAccount" && (
        <Link className="mu-button" data-kind="primary" href={signInHref(receiptHref(props.id))}>
          {texts.signIn.title}
        </Link>
      )}
      {(kind === "unknown" || kind === "notYours") && (
        <Link className="mu-button" data-kind="primary" href="/receipt">
          {open.again}
        </Link>
      )}
      <Link className="mu-button" data-kind="secondary" href="/">
        {texts.backToStart}
      </Link>
    </CalmPage>
  );
}
