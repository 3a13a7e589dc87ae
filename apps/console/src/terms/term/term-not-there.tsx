import { Link } from "@tanstack/react-router";
import { useTermsTexts } from "../texts/texts";

export function TermNotFound() {
  const texts = useTermsTexts();
  return (
    <div className="card calm">
      <p>{texts.term.notThere}</p>
      <Link to="/terms">{texts.draft.backToTerms}</Link>
    </div>
  );
}
