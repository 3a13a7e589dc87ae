import { Button } from "@musette/react/ui";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client";
import { grantOf } from "../../api/grants";
import { meQuery } from "../../api/me";
import { areGrants } from "../../grants/grants-field";
import { signOut } from "../../session/session";
import { toasts } from "../../toast/toasts";
import { Confirm } from "../../ui/confirm/confirm";
import sheetStyles from "../../ui/sheet.module.css";
import type { Person } from "../people-queries";
import { PEOPLE } from "../people-queries";
import { ROLES } from "../people-search";
import { RoleBoxes } from "../role-boxes";
import { useRoleNames } from "../use-role-names";
import styles from "./person.module.css";
import { adminsQuery, personQuery } from "./person-queries";
import { usePersonTexts } from "./texts/texts";

const place = (grant: string) => (ROLES as readonly string[]).indexOf(grantOf(grant).role);
const sorted = (roles: readonly string[]) => roles.toSorted((a, b) => place(a) - place(b));

/** The roles of a person. The form says beforehand what a change causes. */
export function RolesForm({ person }: { readonly person: Person }) {
  const texts = usePersonTexts();
  const names: Readonly<Record<string, string>> = useRoleNames();
  const client = useQueryClient();
  const { data: me } = useQuery(meQuery);
  const current = sorted(person.roles);
  const [chosen, setChosen] = useState<readonly string[]>();
  const [isAsking, setAsking] = useState(false);
  const roles = sorted(chosen ?? current);
  const isChanged = roles.join() !== current.join();
  const { data: admins } = useQuery(adminsQuery);
  const isLastAdmin = admins?.items.length === 1 && admins.items[0]?.user_id === person.user_id;
  const isMe = me?.user_id === person.user_id;
  const losesAdmin = current.includes("admin") && !roles.includes("admin");

  const grantName = (grant: string) => {
    const { role, scope } = grantOf(grant);
    const name = names[role] ?? role;
    return scope ? `${name} (\u2068${scope}\u2069)` : name;
  };

  async function save() {
    await api.put(`${PEOPLE}/{userId}/roles`, {
      path: { userId: person.user_id },
      body: { roles },
    });
    // The token of the current session contains the former roles, so the session has ended.
    if (isMe) return signOut();
    setChosen(undefined);
    toasts.say(texts.rolesSaved(person.user_id));
    await client.invalidateQueries({ queryKey: personQuery(person.user_id).queryKey });
    await client.invalidateQueries({ queryKey: [PEOPLE] });
  }

  return (
    <section data-part="roles" className={`card ${sheetStyles.sheet}`}>
      <h2>{texts.rolesTitle}</h2>
      <RoleBoxes roles={roles} onChange={setChosen} {...(isLastAdmin && { locked: "admin" })} />
      {isLastAdmin && <p className="note">{texts.lastAdmin}</p>}
      <div className={styles.inlineActions}>
        <Button
          disabled={!isChanged || roles.length === 0 || !areGrants(roles)}
          onClick={() => setAsking(true)}
        >
          {texts.saveRoles}
        </Button>
        {isChanged && (
          <Button kind="quiet" onClick={() => setChosen(undefined)}>
            {texts.discard}
          </Button>
        )}
      </div>
      <Confirm
        open={isAsking}
        onClose={() => setAsking(false)}
        title={texts.rolesAsk(person.user_id)}
        action={texts.saveRoles}
        isDangerous={losesAdmin}
        onConfirm={save}
      >
        <p>{roles.map(grantName).join(" · ")}</p>
        <p>{texts.rolesEnd}</p>
        {isMe && losesAdmin && <p className="failure">{texts.ownAdmin}</p>}
        {isMe && !losesAdmin && <p className="note">{texts.ownRoles}</p>}
      </Confirm>
    </section>
  );
}
