import { Button } from "@musette/react/ui";
import { useLanguage } from "../language/language-context";
import { signOut } from "../session/session";
import { Page } from "./page";

/** Shown to a rider who is signed in on this browser. */
export function NotAllowed({ userId }: { readonly userId: string }) {
  const { texts } = useLanguage();
  return (
    <Page
      title={texts.notAllowed.title}
      intro={<bdi>{texts.notAllowed.text(userId)}</bdi>}
      isNowhere
    >
      <Button onClick={signOut}>{texts.notAllowed.signInAsOther}</Button>
    </Page>
  );
}
