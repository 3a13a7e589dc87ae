import { type ReactNode, useState } from "react";
import { usePageLanguage } from "../language/page-language";
import { useEnded, useUserId } from "../session/session";
import { SignedOut } from "../sign-in/signed-out";
import { applicantReceipts, canStoreReceipts } from "../terms/kept-receipts";
import { ApplicantAgreements } from "./applicant-agreements";
import { RiderAgreements } from "./rider-agreements";

export function AgreementsPage() {
  const userId = useUserId();
  const ended = useEnded();
  const [wasRider, setWasRider] = useState(userId !== undefined);
  if (userId !== undefined && !wasRider) setWasRider(true);
  if (userId !== undefined) {
    return (
      <Titled>
        <RiderAgreements key={userId} userId={userId} />
      </Titled>
    );
  }
  // Otherwise, when a session ends, a rider's agreements would turn into "nothing agreed yet".
  if (wasRider) return <SignedOut ended />;
  const ofApplicant = (
    <Titled>
      <ApplicantAgreements />
    </Titled>
  );
  // Without an agreement on this device, the person is most likely a rider who has to sign in.
  if (applicantReceipts().length > 0 || !canStoreReceipts()) return ofApplicant;
  return <SignedOut ended={ended} inDemo={ofApplicant} />;
}

function Titled({ children }: { readonly children: ReactNode }) {
  const { texts } = usePageLanguage();
  return (
    <>
      <h1>{texts.agreements.title}</h1>
      {children}
    </>
  );
}
