import type { SignedReceipt } from "@musette/client/log";
import { Button } from "@musette/react/ui";
import { useState } from "react";
import { useLanguage } from "../language/language-context";
import type { KeptReceipt } from "./receipt";
import { fetchCertificate, save } from "./signed-receipt";

/** The certificate is asked for when somebody looks here: to make one is work for the server. */
export function OtherFiles(props: {
  readonly receipt: KeptReceipt;
  readonly signed: SignedReceipt;
}) {
  const { proof } = useLanguage().texts;
  const { id } = props.signed;
  const [certificate, setCertificate] = useState<Blob>();

  return (
    <details
      onToggle={async ({ currentTarget }) => {
        if (currentTarget.open && !certificate)
          setCertificate(await fetchCertificate(props.receipt));
      }}
    >
      <summary>{proof.otherFiles}</summary>
      <div className="ways">
        {certificate && (
          <Button kind="secondary" onClick={() => save(certificate, id, "pdf")}>
            {proof.certificate}
          </Button>
        )}
        <Button
          kind="secondary"
          onClick={() => save(new Blob([props.signed.proof]), id, "tlog-proof")}
        >
          {proof.proofOnly}
        </Button>
      </div>
    </details>
  );
}
