import { Button } from "@musette/react/ui";
import { useSearch } from "@tanstack/react-router";
import { useLanguage } from "../language/language-context";
import { ListTools } from "../table/list-tools";
import { ForRoles } from "../ui/for-roles";
import { Page } from "../ui/page";
import { PageTools } from "../ui/page-tools";
import { Skeleton } from "../ui/skeleton";
import { LoadFailed } from "../ui/states";
import { NewDraft } from "./new-draft";
import { TermGroupCard } from "./term-group";
import { groupsOf, isOver } from "./term-rows";
import { TermsFilter } from "./terms-filter";
import { useTermsTexts } from "./texts/texts";
import { useTermRows } from "./use-term-rows";

export function TermsPage() {
  const termsTexts = useTermsTexts();
  const { language, texts } = useLanguage();
  const search = useSearch({ from: "/inside/terms" });
  const { rows, types, ...list } = useTermRows(search);
  const sort = search.sort ?? "order";
  const isFiltered =
    search.status !== undefined || search.type !== undefined || search.market !== undefined;
  const isEmpty = list.isSuccess && rows.length === 0;
  return (
    <Page title={termsTexts.title} intro={termsTexts.intro}>
      <PageTools>
        <ForRoles task="terms">
          <NewDraft>{termsTexts.newDraft}</NewDraft>
        </ForRoles>
      </PageTools>
      <ListTools
        count={list.isSuccess && termsTexts.shown(rows.length.toLocaleString(language.tag))}
      />
      {(isFiltered || !isEmpty) && <TermsFilter search={search} types={types} />}
      {list.isPending && <Skeleton rows={6} />}
      {list.error && <LoadFailed error={list.error} onRetry={list.retry} />}
      {isEmpty && (
        <div className="card calm">
          <p>{isFiltered ? termsTexts.nothing : termsTexts.empty}</p>
          <p className="note">{isFiltered ? termsTexts.nothingHint : termsTexts.emptyHint}</p>
        </div>
      )}
      {groupsOf(rows, sort, language.tag).map((group) => (
        <TermGroupCard
          key={group.type}
          group={group}
          isOrdered={sort === "order" && !search.status}
          isHistory={isOver(search.status)}
        />
      ))}
      {list.isMore && (
        <Button kind="secondary" loading={list.isMoreLoading} onClick={() => void list.onMore()}>
          {texts.more}
        </Button>
      )}
    </Page>
  );
}
