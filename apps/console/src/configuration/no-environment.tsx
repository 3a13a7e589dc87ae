import { Link } from "@tanstack/react-router";
import { useIsAdmin } from "../api/use-is-admin";
import { useConfigurationTexts } from "./texts/texts";

/** Instead of whatever an environment would hold. */
export function NoEnvironment() {
  const words = useConfigurationTexts();
  const isAdmin = useIsAdmin();
  return (
    <div className="card calm">
      <p>{words.none}</p>
      <p className="note">{words.noneHint}</p>
      {isAdmin ? (
        <Link to="/settings/environments" className="mu-button" data-kind="secondary">
          {words.addFirst}
        </Link>
      ) : (
        <p className="note">{words.askAdmin}</p>
      )}
    </div>
  );
}
