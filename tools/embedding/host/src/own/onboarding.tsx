import { TermsConsent } from "@musette/react/consent";
import { useState } from "react";
import { fetchConsents, fetchTerms, submitConsents } from "./calls";

export function Onboarding() {
  const [receipt, setReceipt] = useState<string>();
  if (receipt) return <output>{receipt}</output>;
  return (
    <main className="parcel-shop">
      <TermsConsent
        userId="rider-1"
        locale="nl-BE"
        title="Bijna klaar, Robin"
        texts={{ consent: { noTerms: "Je hoeft niets te doen." }, viewer: { close: "Dicht" } }}
        fetchTerms={fetchTerms}
        fetchConsents={fetchConsents}
        submitConsents={submitConsents}
        onBack={() => history.back()}
        onAccepted={(answer) => setReceipt(answer.receipt.id)}
        pdfFrameUrl="/viewer/frame.html"
        app="parcel-shop 1.0"
      />
    </main>
  );
}
