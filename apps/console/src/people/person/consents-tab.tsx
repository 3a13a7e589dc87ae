import { useInfiniteQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { consentPagesQuery } from "../../consents/consents-queries";
import { DecisionsTable } from "../../consents/decisions-table";
import { timeZone } from "../../language/dates";
import { ForRoles } from "../../ui/for-roles";
import { usePersonTexts } from "./texts/texts";

/** Every decision of one person with its receipt, newest first. */
export function ConsentsTab() {
  return (
    <ForRoles task="personal">
      <Consents />
    </ForRoles>
  );
}

function Consents() {
  const texts = usePersonTexts();
  const { userId } = useParams({ from: "/inside/people/$userId" });
  const pages = useInfiniteQuery(consentPagesQuery({ user: userId }));
  return (
    <>
      <p className="note">{texts.consentsIntro(timeZone())}</p>
      <DecisionsTable
        pages={pages}
        ofOnePerson
        empty={
          <>
            <p>{texts.noConsents}</p>
            <p className="note">{texts.noConsentsHint}</p>
          </>
        }
      />
    </>
  );
}
