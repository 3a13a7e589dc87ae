import { useCallback } from "react";
import { dateAndTime } from "../language/dates";
import { useLanguage } from "../language/language-context";
import { CalmPage, LoadFailed, LoadingCards } from "../loading/states";
import { useLoad } from "../loading/use-load";
import { Link } from "../router/router";
import { useUserId } from "../session/session";
import { termsClient } from "../terms/terms-client";
import { CopyableId } from "./copyable-id";
import { keptReceipt } from "./kept-receipts";
import { type Decision, type KeptReceipt, receiptFromHistory, termTitle } from "./receipt";
import { ReceiptProof } from "./receipt-proof";
import { fetchSigned } from "./signed-receipt";

/** Reload-safe: from what this device has kept, else from the rider's history on the server. */
export function ReceiptPage({ id }: { readonly id: string }) {
  const { language } = useLanguage();
  const userId = useUserId();
  const load = useCallback(async () => {
    const kept = keptReceipt(id, userId);
    if (kept || !userId) return kept;
    const { history } = await termsClient(language.tag, userId).fetchHistory(userId);
    const past = receiptFromHistory(id, userId, history);
    const signed = past && (await fetchSigned(id));
    return past && signed ? { ...past, signed } : past;
  }, [id, userId, language.tag]);
  const loaded = useLoad(load);

  if (loaded.state === "loading") return <LoadingCards count={1} />;
  if (loaded.state === "failed") {
    return <LoadFailed error={loaded.error} onRetry={loaded.reload} />;
  }
  return loaded.value ? <Receipt receipt={loaded.value} /> : <MissingReceipt />;
}

function Receipt({ receipt }: { readonly receipt: KeptReceipt }) {
  const { language, texts } = useLanguage();
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
          <CopyableId id={receipt.id} />
          {receipt.userId === "" && <p className="note">{texts.receipt.keep}</p>}
        </dd>
      </dl>
      {receipt.signed && <ReceiptProof receipt={receipt} signed={receipt.signed} />}
      <Link className="mu-button wide" data-kind="primary" href="/agreements">
        {texts.receipt.toAgreements}
      </Link>
    </article>
  );
}

function DecidedTerm({ decision }: { readonly decision: Decision }) {
  const { texts } = useLanguage();
  const { accepted, term, termId } = decision;
  return (
    <li data-accepted={accepted}>
      <bdi className="term-title">{termTitle(term, termId)}</bdi>
      <span className="term-facts">
        {term?.version !== undefined && <span>{texts.version(term.version)}</span>}
        <strong>{accepted ? texts.receipt.agreed : texts.receipt.notAgreed}</strong>
      </span>
    </li>
  );
}

function MissingReceipt() {
  const { texts } = useLanguage();
  return (
    <CalmPage title={texts.receipt.missingTitle} text={texts.receipt.missingText}>
      <Link className="mu-button" data-kind="primary" href="/agreements">
        {texts.receipt.toAgreements}
      </Link>
      <Link className="mu-button" data-kind="secondary" href="/">
        {texts.backToStart}
      </Link>
    </CalmPage>
  );
}
