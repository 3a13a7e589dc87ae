import { HttpError } from "@musette/client/http";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { EVERYWHERE } from "../../api/grants";
import { timeZone } from "../../language/dates";
import { inLanguage } from "../../language/in-language";
import { useLanguage } from "../../language/language-context";
import { versionName } from "../../language/version-name";
import { ForRoles } from "../../ui/for-roles";
import { Page } from "../../ui/page";
import { Skeleton } from "../../ui/skeleton";
import { LoadFailed } from "../../ui/states";
import { draftFrom } from "../draft/draft-calls";
import { TermEnding } from "../ending/term-ending";
import { NewDraft } from "../new-draft";
import styles from "../terms.module.css";
import { type PublishedTerm, termQuery } from "../terms-query";
import { useTermsTexts } from "../texts/texts";
import { TermDifference } from "./term-difference";
import { TermDocuments } from "./term-documents";
import { TermFacts } from "./term-facts";
import { TermHistory } from "./term-history";
import { TermNotFound } from "./term-not-there";
import { TermTabs } from "./term-tabs";

export function TermPage() {
  const texts = useTermsTexts();
  const { termId } = useParams({ from: "/inside/terms/$termId" });
  const term = useQuery(termQuery(termId));
  if (term.isSuccess) return <TermContent term={term.data} />;
  const isUnknown = term.error instanceof HttpError && term.error.status === 404;
  return (
    <Page title={texts.title}>
      {term.isPending && <Skeleton rows={6} />}
      {isUnknown && <TermNotFound />}
      {term.isError && !isUnknown && <LoadFailed error={term.error} onRetry={term.refetch} />}
    </Page>
  );
}

function TermContent({ term }: { readonly term: PublishedTerm }) {
  const texts = useTermsTexts();
  const { language } = useLanguage();
  const title = inLanguage(term.variants, language.tag)?.title || texts.untitled;
  const version = texts.version(versionName(term, language.tag));
  return (
    <Page title={title} intro={version}>
      <TermTabs term={term}>
        {term.replaced_by === undefined && !term.cancelled_at && !term.retired_at && (
          <ForRoles task="terms" scope={term.market ?? EVERYWHERE} isQuiet>
            <NewDraft body={draftFrom(term)}>{texts.term.newVersion}</NewDraft>
          </ForRoles>
        )}
      </TermTabs>
      <div className={styles.termPage}>
        <TermFacts term={term} />
        <TermDocuments term={term} />
        <TermHistory term={term} />
        <TermDifference term={term} />
        <TermEnding term={term} title={title} />
      </div>
      <p className="note">
        {texts.term.unchangeable} {texts.term.zone(timeZone())}
      </p>
    </Page>
  );
}
