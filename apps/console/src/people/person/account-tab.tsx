import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { entersConsole } from "../../api/grants";
import { meQuery } from "../../api/me";
import { useIsAdmin } from "../../api/use-is-admin";
import { useInstant } from "../../language/dates";
import factStyles from "../../ui/facts.module.css";
import { ForRoles } from "../../ui/for-roles";
import sheetStyles from "../../ui/sheet.module.css";
import { OneTimeLinkMaker } from "../link-maker";
import { CaseFile } from "./case-file";
import { DataDownload } from "./data-download";
import { Erase } from "./erase";
import { PersonMarket } from "./person-market";
import { personQuery } from "./person-queries";
import { RolesForm } from "./roles-form";
import { usePersonTexts } from "./texts/texts";
import { useMayManage } from "./use-may-manage";

/** The stored data of a person, and their roles. */
export function AccountTab() {
  const texts = usePersonTexts();
  const written = useInstant();
  const { userId } = useParams({ from: "/inside/people/$userId" });
  const { data: person } = useQuery(personQuery(userId));
  const { data: me } = useQuery(meQuery);
  const isAdmin = useIsAdmin();
  const mayManage = useMayManage(person);
  if (!person) return null;
  const isConsoleUser = entersConsole(person.roles);
  // People change their own password on the account page.
  const isSelf = me?.user_id === userId;
  return (
    <>
      <section className={`card ${sheetStyles.sheet}`}>
        <div>
          <h2>{texts.account}</h2>
          <dl className={factStyles.facts}>
            <dt>{texts.since}</dt>
            <dd>
              <time dateTime={person.created_at}>{written(person.created_at)}</time>
            </dd>
            <dt>{texts.password}</dt>
            <dd>{person.has_password ? texts.hasPassword : texts.noPassword}</dd>
          </dl>
        </div>
        {isAdmin && isConsoleUser && !isSelf && <OneTimeLinkMaker userId={userId} />}
      </section>
      <PersonMarket person={person} />
      {mayManage && (
        <>
          <ForRoles task="evidence" isQuiet>
            <CaseFile userId={userId} />
          </ForRoles>
          <ForRoles task="people" isQuiet>
            <DataDownload userId={userId} />
          </ForRoles>
        </>
      )}
      {isAdmin ? (
        <>
          <RolesForm person={person} />
          <Erase person={person} />
        </>
      ) : (
        <p className="note">{mayManage ? texts.adminsOnly : texts.adminAccount}</p>
      )}
    </>
  );
}
