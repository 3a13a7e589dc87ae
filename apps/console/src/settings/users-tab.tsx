import { Button } from "@musette/react/ui";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { CONSOLE_ROLES, type ConsoleRole } from "../api/grants";
import { useIsAdmin } from "../api/use-is-admin";
import { useGrantsTexts } from "../grants/texts/texts";
import { useLanguage } from "../language/language-context";
import { AddPerson } from "../people/add-person";
import { peoplePagesQuery } from "../people/people-queries";
import { PeopleTable } from "../people/people-table";
import listStyles from "../ui/list.module.css";
import styles from "./settings.module.css";
import { useSettingsTexts } from "./texts/texts";

/** The people who may use this console, by role. */
export function UsersTab() {
  const texts = useSettingsTexts();
  const { roles } = useLanguage().texts;
  const { hints } = useGrantsTexts();
  const isAdmin = useIsAdmin();
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <div className={listStyles.bar}>
        <p className={`note ${styles.usersIntro}`}>{texts.usersIntro}</p>
        {isAdmin && (
          <Button className={listStyles.action} onClick={() => setAdding(true)}>
            {texts.addUser}
          </Button>
        )}
      </div>
      {[...CONSOLE_ROLES].reverse().map((role) => (
        <section key={role} className={styles.users} aria-label={roles[role]}>
          <h2>{roles[role]}</h2>
          <p className="note">{hints[role]}</p>
          <UsersWithRole role={role} />
        </section>
      ))}
      <AddPerson open={isAdding} onClose={() => setAdding(false)} roles={["viewer"]} />
    </>
  );
}

function UsersWithRole({ role }: { readonly role: ConsoleRole }) {
  const texts = useSettingsTexts();
  const pages = useInfiniteQuery(peoplePagesQuery({ role }));
  return <PeopleTable pages={pages} empty={<p>{texts.noUsers}</p>} />;
}
