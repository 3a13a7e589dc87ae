import { Button } from "@musette/react/ui";
import { useState } from "react";
import { usePageLanguage } from "../language/page-language";
import type { StoredReceipt } from "../terms/receipt";
import { fetchCertificate, save } from "./signed-receipt";

/** Opens the certificate, to read and to print, in the language of the app. */
export function CertificateButton({ receipt }: { readonly receipt: StoredReceipt }) {
  const { language, texts } = usePageLanguage();
  const [fetching, setFetching] = useState(false);
  const [failed, setFailed] = useState(false);

  async function download(): Promise<void> {
    setFetching(true);
    const certificate = await fetchCertificate(receipt, language.tag);
    setFetching(false);
    setFailed(!certificate);
    if (certificate) save(certificate, receipt.id, "pdf");
  }

  return (
    <>
      <Button kind="secondary" loading={fetching} onClick={download}>
        {texts.proof.certificate}
      </Button>
      {failed && (
        <p role="alert" className="note">
          {texts.proof.certificateFailed}
        </p>
      )}
    </>
  );
}
