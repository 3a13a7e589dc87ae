import { Button } from "@musette/react/ui";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client";
import { meQuery } from "../../api/me";
import { signOut } from "../../session/session";
import { toasts } from "../../toast/toasts";
import { Confirm } from "../../ui/confirm/confirm";
import type { Person } from "../people-queries";
import { PEOPLE } from "../people-queries";
import { ROLES, type Role } from "../people-search";
import { RoleBoxes } from "../role-boxes";
import { usePeopleTexts } from "../texts/texts";
import styles from "./person.module.css";
import { adminsQuery, personQuery } from "./person-queries";
import { usePersonTexts } from "./texts/texts";

/** What somebody may do. It is said before it is done what a change brings with it. */
export function RolesForm({ person }: { readonly person: Person }) {
  const words = usePersonTexts();
  const { roles: names } = usePeopleTexts();
  const client = useQueryClient();
  const { data: me } = useQuery(meQuery);
  const held = ROLES.filter((role) => person.roles.includes(role));
  const [chosen, setChosen] = useState<readonly Role[]>();
  const [isAsking, setAsking] = useState(false);
  const roles = chosen ?? held;
  const isChanged = roles.join() !== held.join();
  const { data: admins } = useQuery(adminsQuery);
  const isLastAdmin = admins?.items.length === 1 && admins.items[0]?.user_id === person.user_id;
  const isMe = me?.user_id === person.user_id;
  const losesAdmin = held.includes("admin") && !roles.includes("admin");

  async function save() {
    await api.put(`${PEOPLE}/{userId}/roles`, {
      path: { userId: person.user_id },
      body: { roles },
    });
    // The token of this very session carries the former roles: it is over.
    if (isMe) return signOut();
    setChosen(undefined);
    toasts.say(words.rolesSaved(person.user_id));
    await client.invalidateQueries({ queryKey: personQuery(person.user_id).queryKey });
    await client.invalidateQueries({ queryKey: [PEOPLE] });
  }

  return (
    <section className="card sheet">
      <h2>{words.rolesTitle}</h2>
      <RoleBoxes roles={roles} onChange={setChosen} {...(isLastAdmin && { locked: "admin" })} />
      {isLastAdmin && <p className="note">{words.lastAdmin}</p>}
      <div className={styles.inlineActions}>
        <Button disabled={!isChanged || roles.length === 0} onClick={() => setAsking(true)}>
          {words.saveRoles}
        </Button>
        {isChanged && (
          <Button kind="quiet" onClick={() => setChosen(undefined)}>
            {words.discard}
          </Button>
        )}
      </div>
      <Confirm
        open={isAsking}
        onClose={() => setAsking(false)}
        title={words.rolesAsk(person.user_id)}
        action={words.saveRoles}
        isDangerous={losesAdmin}
        onConfirm={save}
      >
        <p>{roles.map((role) => names[role]).join(" · ")}</p>
        <p>{words.rolesEnd}</p>
        {isMe && losesAdmin && <p className="failure">{words.ownAdmin}</p>}
        {isMe && !losesAdmin && <p className="note">{words.ownRoles}</p>}
      </Confirm>
    </section>
  );
}
