import { useState } from "react";
import { useLanguage } from "../language/language-context";
import { applicantReceipts, keepReceipt } from "../receipts/kept-receipts";
import { receiptOf } from "../receipts/receipt";
import { seenTerm } from "../terms/terms-client";
import { AgreementCard } from "./agreement-card";
import { applicantAgreements, outcomeIn } from "./agreements";
import { HistoryList } from "./history-list";
import { NothingAgreed } from "./nothing-agreed";

export function ApplicantAgreements() {
  const { texts } = useLanguage();
  const [receipts, setReceipts] = useState(applicantReceipts);
  const decisions = receipts.flatMap((receipt) => receipt.decisions);
  if (decisions.length === 0) return <NothingAgreed rider={false} />;

  const termOf = (id: number) =>
    decisions.find(({ termId, term }) => termId === id && term)?.term ?? seenTerm(id);
  const rootOf = (receiptId: string | undefined) =>
    receipts.find(({ id }) => id === receiptId)?.root;

  return (
    <>
      <p className="lead">{texts.agreements.intro}</p>
      <ul className="cards">
        {applicantAgreements(decisions).map((agreement) => {
          const root = rootOf(agreement.decision?.receiptId);
          return (
            <AgreementCard
              key={agreement.term.id}
              agreement={agreement}
              outcome={outcomeIn(agreement, decisions)}
              decider={{ userId: undefined, receiptId: root }}
              onDecided={(answer) => {
                keepReceipt(receiptOf(answer, termOf, root));
                setReceipts(applicantReceipts());
              }}
            />
          );
        })}
      </ul>
      <HistoryList decisions={decisions} />
      <p className="note">{texts.agreements.onThisDevice}</p>
    </>
  );
}
