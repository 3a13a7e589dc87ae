import { useLanguage } from "../language/language-context";
import { Link } from "../router/router";

export function NothingAgreed({ rider }: { readonly rider: boolean }) {
  const { texts } = useLanguage();
  const { emptyTitle, emptyRider, emptyApplicant, toTerms, toApply } = texts.agreements;
  return (
    <div className="calm">
      <h2>{emptyTitle}</h2>
      <p>{rider ? emptyRider : emptyApplicant}</p>
      <Link className="mu-button" data-kind="primary" href={rider ? "/terms" : "/apply"}>
        {rider ? toTerms : toApply}
      </Link>
    </div>
  );
}
