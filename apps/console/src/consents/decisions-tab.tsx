import { useInfiniteQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { ConsentsFilter } from "./consents-filter";
import { consentPagesQuery } from "./consents-queries";
import { DecisionsTable } from "./decisions-table";
import { ExportPanel } from "./export-panel";
import { useConsentsTexts } from "./texts/texts";

/** What was decided, by whoever decided it. */
export function DecisionsTab() {
  const words = useConsentsTexts();
  const search = useSearch({ from: "/inside/consents/" });
  const pages = useInfiniteQuery(consentPagesQuery(search));
  const isFiltered = Object.keys(search).length > 0;
  return (
    <>
      <ConsentsFilter search={search} />
      <ExportPanel search={search} />
      <DecisionsTable
        pages={pages}
        empty={
          <>
            <p>{isFiltered ? words.nothing : words.none}</p>
            <p className="note">{isFiltered ? words.nothingHint : words.noneHint}</p>
          </>
        }
      />
    </>
  );
}
