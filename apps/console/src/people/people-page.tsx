import { Button } from "@musette/react/ui";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { ForRoles } from "../ui/for-roles";
import { Page } from "../ui/page";
import { PageTools } from "../ui/page-tools";
import { AddPerson } from "./add-person";
import { ImportPeople } from "./import-people";
import { PeopleFilter } from "./people-filter";
import { peoplePagesQuery } from "./people-queries";
import { PeopleTable } from "./people-table";
import { usePeopleTexts } from "./texts/texts";

export function PeoplePage() {
  const texts = usePeopleTexts();
  const search = useSearch({ from: "/inside/people" });
  const navigate = useNavigate();
  const [isAdding, setAdding] = useState(false);
  const [isImporting, setImporting] = useState(false);
  const pages = useInfiniteQuery(peoplePagesQuery(search));
  const isFiltered = Object.keys(search).length > 0;
  const first = pages.data?.pages[0]?.items[0];
  return (
    <Page title={texts.title} intro={texts.intro}>
      <PageTools>
        <ForRoles task="people" isQuiet>
          <Button kind="secondary" onClick={() => setImporting(true)}>
            {texts.importing.action}
          </Button>
          <Button onClick={() => setAdding(true)}>{texts.add}</Button>
        </ForRoles>
      </PageTools>
      <PeopleFilter
        search={search}
        onEnter={() => {
          // The list does not match the typed text yet.
          if (!first || pages.isPlaceholderData || pages.isFetching) return;
          void navigate({ to: "/people/$userId", params: { userId: first.user_id } });
        }}
      />
      <PeopleTable
        pages={pages}
        empty={
          <>
            <p>{isFiltered ? texts.nobody : texts.noOne}</p>
            <p className="note">
              {isFiltered ? texts.nobodyHint(search.q ?? "…") : texts.noOneHint}
            </p>
          </>
        }
        isPage
      />
      <ImportPeople open={isImporting} onClose={() => setImporting(false)} />
      <AddPerson open={isAdding} onClose={() => setAdding(false)} />
    </Page>
  );
}
