import { Button } from "@musette/react/ui";
import { usePageLanguage } from "../language/page-language";
import { CalmPage } from "../loading/states";
import { useMyNameOrId } from "../session/me";
import { confirmUser, leaveSession } from "../session/person";

/** Shown instead of every page after another person has signed in in another tab. */
export function AnotherPerson({ userId }: { readonly userId: string }) {
  const { otherPerson, start } = usePageLanguage().texts;
  const name = useMyNameOrId(userId) ?? userId;
  return (
    <div role="alert">
      <CalmPage title={otherPerson.title} text={otherPerson.text(name)}>
        <Button kind="primary" onClick={() => confirmUser(userId)}>
          {otherPerson.continue(name)}
        </Button>
        <Button kind="quiet" onClick={leaveSession}>
          {start.leave}
        </Button>
      </CalmPage>
    </div>
  );
}
