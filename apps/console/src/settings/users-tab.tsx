import { Button } from "@musette/react/ui";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useIsAdmin } from "../api/use-is-admin";
import { useLanguage } from "../language/language-context";
import { AddPerson } from "../people/add-person";
import { peoplePagesQuery } from "../people/people-queries";
import { PeopleTable } from "../people/people-table";
import { usePeopleTexts } from "../people/texts/texts";
import styles from "./settings.module.css";
import { useSettingsTexts } from "./texts/texts";

/** The people who may use this console, by role. */
export function UsersTab() {
  const words = useSettingsTexts();
  const { roles } = usePeopleTexts();
  const isAdmin = useIsAdmin();
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <div className="list-bar">
        <p className={`note ${styles.usersIntro}`}>{words.usersIntro}</p>
        {isAdmin && (
          <Button className="list-action" onClick={() => setAdding(true)}>
            {words.addUser}
          </Button>
        )}
      </div>
      {(["admin", "operator"] as const).map((role) => (
        <section key={role} className={styles.users} aria-label={roles[role]}>
          <h2>{roles[role]}</h2>
          <p className="note">{words.roleCan[role]}</p>
          <UsersWithRole role={role} />
        </section>
      ))}
      <AddPerson open={isAdding} onClose={() => setAdding(false)} roles={["operator"]} />
    </>
  );
}

function UsersWithRole({ role }: { readonly role: "admin" | "operator" }) {
  const words = useSettingsTexts();
  const { language } = useLanguage();
  const pages = useInfiniteQuery(peoplePagesQuery({ role }));
  return <PeopleTable pages={pages} locale={language.tag} empty={<p>{words.noUsers}</p>} />;
}
