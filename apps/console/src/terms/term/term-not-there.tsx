import { Link } from "@tanstack/react-router";
import { useTermsTexts } from "../texts/texts";

export function TermNotFound() {
  const words = useTermsTexts();
  return (
    <div className="card calm">
      <p>{words.term.notThere}</p>
      <Link to="/terms">{words.draft.backToTerms}</Link>
    </div>
  );
}
