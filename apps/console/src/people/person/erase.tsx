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
 * Erases the personal data of a person. This cannot be undone, so it first says what is erased and
 * what is kept.
 */
export function Erase({ person }: { readonly person: Person }) {
  const words = usePersonTexts();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { data: me } = useQuery(meQuery);
  const [isAsking, setAsking] = useState(false);
  const { user_id: userId } = person;

  async function erase() {
    await api.delete(`${PEOPLE}/{userId}`, { path: { userId }, body: { confirm: userId } });
    toasts.say(words.erased(userId));
    await navigate({ to: "/people" });
    client.removeQueries({ queryKey: ["person", userId] });
    await client.invalidateQueries({ queryKey: [PEOPLE] });
  }

  const explained = (
    <dl className={styles.kept}>
      <dt>{words.goes}</dt>
      <dd>{words.goesHint}</dd>
      <dt>{words.stays}</dt>
      <dd>{words.staysHint}</dd>
    </dl>
  );
  return (
    <section className={`card ${sheetStyles.sheet} ${styles.dangerPart}`} data-part="erasure">
      <h2>{words.erase}</h2>
      {explained}
      <div className={styles.inlineActions}>
        <Button kind="danger" disabled={me?.user_id === userId} onClick={() => setAsking(true)}>
          {words.erase}
        </Button>
        {me?.user_id === userId && <span className="note">{words.notYourself}</span>}
      </div>
      <Confirm
        open={isAsking}
        onClose={() => setAsking(false)}
        title={words.eraseAsk(userId)}
        action={words.eraseDo}
        isDangerous
        typed={{ label: words.typeId(userId), word: userId }}
        onConfirm={erase}
      >
        <p>{words.eraseHint}</p>
      </Confirm>
    </section>
  );
}
