import { Button } from "@musette/react/ui";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/client";
import { meQuery } from "../../api/me";
import { toasts } from "../../toast/toasts";
import { Confirm } from "../../ui/confirm/confirm";
import sheetStyles from "../../ui/sheet.module.css";
import type { Person } from "../people-queries";
import { PEOPLE } from "../people-queries";
import styles from "./person.module.css";
import { usePersonTexts } from "./texts/texts";

/**
 * Erases the personal data of a person. This cannot be undone, so it first lists the data that is
 * erased and the data that is kept.
 */
export function Erase({ person }: { readonly person: Person }) {
  const texts = usePersonTexts();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { data: me } = useQuery(meQuery);
  const [isAsking, setAsking] = useState(false);
  const { user_id: userId } = person;

  async function erase() {
    await api.delete(`${PEOPLE}/{userId}`, { path: { userId }, body: { confirm: userId } });
    toasts.say(texts.erased(userId));
    await navigate({ to: "/people" });
    client.removeQueries({ queryKey: ["person", userId] });
    await client.invalidateQueries({ queryKey: [PEOPLE] });
  }

  const explained = (
    <dl className={styles.kept}>
      <dt>{texts.goes}</dt>
      <dd>{texts.goesHint}</dd>
      <dt>{texts.stays}</dt>
      <dd>{texts.staysHint}</dd>
    </dl>
  );
  return (
    <section className={`card ${sheetStyles.sheet} ${styles.dangerPart}`} data-part="erasure">
      <h2>{texts.erase}</h2>
      {explained}
      <div className={styles.inlineActions}>
        <Button kind="danger" disabled={me?.user_id === userId} onClick={() => setAsking(true)}>
          {texts.erase}
        </Button>
        {me?.user_id === userId && <span className="note">{texts.notYourself}</span>}
      </div>
      <Confirm
        open={isAsking}
        onClose={() => setAsking(false)}
        title={texts.eraseAsk(userId)}
        action={texts.eraseDo}
        isDangerous
        typed={{ label: texts.typeId(userId), word: userId }}
        onConfirm={erase}
      >
        <p>{texts.eraseHint}</p>
      </Confirm>
    </section>
  );
}
