import { useState } from "react";
import { useLanguage } from "../language/language-context";
import { useUserId } from "../session/session";
import { SignedOut } from "../session/signed-out";
import { ApplicantAgreements } from "./applicant-agreements";
import { RiderAgreements } from "./rider-agreements";

export function AgreementsPage() {
  const { texts } = useLanguage();
  const userId = useUserId();
  const [wasRider, setWasRider] = useState(userId !== undefined);
  if (userId !== undefined && !wasRider) setWasRider(true);
  // Else a session that ends would turn a rider's agreements into "nothing agreed yet".
  if (wasRider && userId === undefined) return <SignedOut />;
  return (
    <>
      <h1>{texts.agreements.title}</h1>
      {userId ? <RiderAgreements key={userId} userId={userId} /> : <ApplicantAgreements />}
    </>
  );
}
