import { useLanguage } from "../language/language-context";
import { useUserId } from "../session/session";
import { ApplicantAgreements } from "./applicant-agreements";
import { RiderAgreements } from "./rider-agreements";

export function AgreementsPage() {
  const { texts } = useLanguage();
  const userId = useUserId();
  return (
    <>
      <h1>{texts.agreements.title}</h1>
      {userId ? <RiderAgreements key={userId} userId={userId} /> : <ApplicantAgreements />}
    </>
  );
}
