import type { SignedReceipt } from "@musette/client/log";
import { Button } from "@musette/react/ui";
import { useState } from "react";
import { usePageLanguage } from "../language/page-language";
import type { StoredReceipt } from "../terms/receipt";
import { CertificateButton } from "./certificate-button";
import { type CheckOutcome, checkReceipt } from "./check-receipt";
import { OtherFiles } from "./other-files";
import { receiptFile, save } from "./signed-receipt";

/** Explains what a receipt proves, and lets the reader check it. */
export function ReceiptProof(props: {
  readonly receipt: StoredReceipt;
  readonly signed: SignedReceipt;
}) {
  const { proof } = usePageLanguage().texts;
  const [outcome, setOutcome] = useState<CheckOutcome>();
  const [checking, setChecking] = useState(false);

  async function check(): Promise<void> {
    setChecking(true);
    setOutcome(undefined);
    setOutcome(await checkReceipt(props.receipt, props.signed));
    setChecking(false);
  }

  return (
    <section className="card proof">
      <h2>{proof.title}</h2>
      <p>{proof.text}</p>
      <div className="ways">
        <Button kind="secondary" loading={checking} onClick={check}>
          {proof.check}
        </Button>
        <Button
          kind="secondary"
          onClick={() => save(receiptFile(props.signed), props.signed.id, "json")}
        >
          {proof.download}
        </Button>
        <CertificateButton receipt={props.receipt} />
      </div>
      <div role="status">{outcome && <Outcome outcome={outcome} />}</div>
      <OtherFiles signed={props.signed} />
    </section>
  );
}

function Outcome({ outcome }: { readonly outcome: CheckOutcome }) {
  const { language, texts } = usePageLanguage();
  const { proof } = texts;
  if (!outcome.ok) {
    const { problem, detail } = outcome;
    const says = problem === "unsupported" || problem === "unreachable" ? "nothing" : "bad";
    return (
      <div className="checked" data-says={says}>
        <strong>{says === "bad" ? proof.notConfirmed : proof.notChecked}</strong>
        <p>{proof.problems[problem]}</p>
        {detail && says === "bad" && (
          <samp lang="en" dir="ltr">
            {detail}
          </samp>
        )}
      </div>
    );
  }
  const { key, position, size, userType } = outcome;
  const number = new Intl.NumberFormat(language.tag);
  return (
    <div className="checked" data-says="good">
      <strong>{proof.confirmed}</strong>
      <ul>
        <li>{proof.asShown}</li>
        <li>{userType === "RIDER" ? proof.ofUser : proof.ofHolder}</li>
        <li>{proof.inLog(number.format(position), number.format(size))}</li>
        <li>
          {proof.signedWith} <samp dir="ltr">{key}</samp>
        </li>
      </ul>
      <p className="note">{proof.onThisDevice}</p>
    </div>
  );
}
