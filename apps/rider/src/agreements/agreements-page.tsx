import { type ReactNode, useState } from "react";
import { usePageLanguage } from "../language/page-language";
import { useEnded, useUserId } from "../session/session";
import { SignedOut } from "../sign-in/signed-out";
import { applicantReceipts, canStoreReceipts } from "../terms/stored-receipts";
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
  if (ended && applicantReceipts().length === 0 && canStoreReceipts()) return <SignedOut ended />;
  // Never leads to the sign-in: an applicant without an answer has no account, and sees here what
  // waits on this phone.
  return (
    <Titled>
      <ApplicantAgreements />
    </Titled>
  );
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
