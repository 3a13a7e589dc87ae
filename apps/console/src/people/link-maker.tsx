import { Button, Modal } from "@musette/react/ui";
import { useMutation } from "@tanstack/react-query";
import dialogStyles from "../ui/dialog.module.css";
import secretStyles from "../ui/secret.module.css";
import { FailureText } from "../ui/states";
import { OneTimeLinkShown } from "./one-time-link";
import { createLink } from "./people-queries";
import { usePeopleTexts } from "./texts/texts";

/** Creates a one-time link for an operator or admin who has forgotten the password. */
export function OneTimeLinkMaker({ userId }: { readonly userId: string }) {
  const texts = usePeopleTexts();
  const making = useMutation({ mutationFn: () => createLink(userId) });
  const link = making.data;
  return (
    <div className={secretStyles.secret}>
      <p className="note">{texts.newLinkHint}</p>
      <div>
        <Button kind="secondary" loading={making.isPending} onClick={() => making.mutate()}>
          {texts.newLink}
        </Button>
      </div>
      {making.isError && <FailureText error={making.error} />}
      <Modal open={link !== undefined} onClose={making.reset} label={texts.newLink}>
        <div className={dialogStyles.confirm}>
          <h2>{texts.newLink}</h2>
          {link && <OneTimeLinkShown link={link} />}
          <div className={dialogStyles.buttons}>
            <Button onClick={making.reset}>{texts.done}</Button>
          </div>
        </div>
      </Modal>
    </div>
  );
}
