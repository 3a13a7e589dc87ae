import "@musette/react/style.css";
import "../../apps/console/src/app.css";
import { english } from "@musette/react/language";
import { StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";
import {
  LanguageProvider,
  prepareLanguage,
} from "../../apps/console/src/language/language-context";
import { type Column, LongTable } from "../../apps/console/src/table/long-table";
import { sorted } from "../../apps/console/src/table/sort";

interface Rider {
  readonly id: string;
  readonly hours: number;
}

const COUNT = Number(new URLSearchParams(location.search).get("rows") ?? "100000");

const riders: readonly Rider[] = Array.from({ length: COUNT }, (_, index) => ({
  id: `rider-${index + 1}`,
  hours: (index * 7) % 61,
}));

const columns: readonly Column<Rider>[] = [
  {
    id: "id",
    title: "Rider",
    width: "60%",
    isSortable: true,
    cell: ({ id }) => <a href={`#${id}`}>{id}</a>,
  },
  { id: "hours", title: "Hours", width: "40%", isSortable: true, cell: ({ hours }) => hours },
];

/** The table of a console page, without anything around it. */
function Riders() {
  const [sort, setSort] = useState<string>();
  const rows = sorted(riders, sort, { id: ({ id }) => id, hours: ({ hours }) => hours }, "en");
  return (
    <LongTable
      label="Riders"
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      isMore={false}
      isLoading={COUNT === 0}
      onMore={() => {}}
      sort={sort}
      onSort={setSort}
    />
  );
}

const root = document.getElementById("stage");
if (!root) throw new Error("table.html has no element #stage");
const first = await prepareLanguage(english);
createRoot(root).render(
  <StrictMode>
    <LanguageProvider first={first}>
      <Riders />
    </LanguageProvider>
  </StrictMode>,
);
