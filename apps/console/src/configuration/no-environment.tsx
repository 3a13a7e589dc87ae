import { Link } from "@tanstack/react-router";
import { EVERYWHERE } from "../api/grants";
import { useIsAdmin } from "../api/use-is-admin";
import { useOnlyWithin } from "../api/use-may";
import { ForRoles } from "../ui/for-roles";
import { useConfigurationTexts } from "./texts/texts";

/** Shown in place of the content if there is no environment. */
export function NoEnvironment() {
  const texts = useConfigurationTexts();
  const isAdmin = useIsAdmin();
  const isNarrowed = useOnlyWithin("flags").length > 0;
  // Other environments may exist, but must not be mentioned.
  if (isNarrowed) {
    return (
      <div className="card calm">
        <p>{texts.noneIsMine}</p>
        <ForRoles task="flags" scope={EVERYWHERE}>
          {null}
        </ForRoles>
      </div>
    );
  }
  return (
    <div className="card calm">
      <p>{texts.none}</p>
      <p className="note">{texts.noneHint}</p>
      {isAdmin ? (
        <Link to="/settings/environments" className="mu-button" data-kind="secondary">
          {texts.addFirst}
        </Link>
      ) : (
        <p className="note">{texts.askAdmin}</p>
      )}
    </div>
  );
}
