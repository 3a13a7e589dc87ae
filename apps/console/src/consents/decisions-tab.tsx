import { useInfiniteQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useMay } from "../api/use-may";
import { ExportBar } from "../export/export-bar";
import { ForRoles } from "../ui/for-roles";
import { PageTools } from "../ui/page-tools";
import { ConsentsFilter } from "./consents-filter";
import { consentPagesQuery } from "./consents-queries";
import { DecisionsTable } from "./decisions-table";
import { exportConsents } from "./gather-consents";
import { useConsentsTexts } from "./texts/texts";

/** The decisions of all people. Other roles see an explanation, without a request. */
export function DecisionsTab() {
  return (
    <ForRoles task="personal">
      <Decisions />
    </ForRoles>
  );
}

function Decisions() {
  const may = useMay();
  const texts = useConsentsTexts();
  const search = useSearch({ from: "/inside/consents/" });
  const pages = useInfiniteQuery(consentPagesQuery(search));
  const isFiltered = Object.keys(search).length > 0;
  return (
    <>
      <ConsentsFilter search={search} />
      {may("evidence") && (
        <PageTools>
          <ExportBar
            name="consents"
            formats={["csv", "jsonl", "dpv"]}
            gather={(format, asked) => exportConsents(search, format, asked)}
          />
        </PageTools>
      )}
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
