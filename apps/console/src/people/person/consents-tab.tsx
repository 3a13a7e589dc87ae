import { useInfiniteQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { consentPagesQuery } from "../../consents/consents-queries";
import { DecisionsTable } from "../../consents/decisions-table";
import { timeZone } from "../../language/dates";
import { usePersonTexts } from "./texts/texts";

/** Every decision of one person with its receipt, newest first. */
export function ConsentsTab() {
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
