import { useInfiniteQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { ExportBar } from "../export/export-bar";
import { ConsentsFilter } from "./consents-filter";
import { consentPagesQuery } from "./consents-queries";
import { DecisionsTable } from "./decisions-table";
import { exportConsents } from "./gather-consents";
import { useConsentsTexts } from "./texts/texts";

/** The decisions of all people. */
export function DecisionsTab() {
  const texts = useConsentsTexts();
  const search = useSearch({ from: "/inside/consents/" });
  const pages = useInfiniteQuery(consentPagesQuery(search));
  const isFiltered = Object.keys(search).length > 0;
  return (
    <>
      <ConsentsFilter search={search} />
      <ExportBar
        name="consents"
        formats={["csv", "jsonl", "dpv"]}
        gather={(format, asked) => exportConsents(search, format, asked)}
      />
      <DecisionsTable
        pages={pages}
        empty={
          <>
            <p>{isFiltered ? texts.nothing : texts.none}</p>
            <p className="note">{isFiltered ? texts.nothingHint : texts.noneHint}</p>
          </>
        }
      />
    </>
  );
}
