import { Link } from "@tanstack/react-router";
import { languageName } from "../language/in-language";
import { useLanguage } from "../language/language-context";
import { useDay } from "../language/use-day";
import { versionName } from "../language/version-name";
import { useMarketName } from "../markets/use-market-name";
import { StatusChip } from "./status-chip";
import type { TermRow } from "./term-rows";
import styles from "./terms.module.css";
import { useTermsTexts } from "./texts/texts";

export function TermLine({ row }: { readonly row: TermRow }) {
  const texts = useTermsTexts();
  const { language } = useLanguage();
  const marketName = useMarketName();
  const { term, locales } = row;
  const languages = locales.map((locale) => languageName(locale, language.tag));
  const list = new Intl.ListFormat(language.tag, { type: "unit" }).format(languages);
  const kind = row.isNotice ? texts.notice : row.mandatory ? texts.mandatory : texts.optional;
  const version = term && texts.version(versionName(term, language.tag));
  return (
    <tr data-status={row.status}>
      <td className={styles.termOrder}>{row.order?.toLocaleString(language.tag)}</td>
      <th scope="row">
        <TermLink row={row} />
        <span className="note">
          {[row.market && marketName(row.market), kind, version, list].filter(Boolean).join(" · ")}
        </span>
      </th>
      <td>
        <StatusChip status={row.status} />
      </td>
      <td>
        <TermDate row={row} />
      </td>
      <td>
        {term && !row.isNotice && (
          <Link to="/terms/$termId/coverage" params={{ termId: String(term.id) }}>
            {texts.columns.coverage}
            <span className="mu-hidden"> {row.title}</span>
          </Link>
        )}
      </td>
    </tr>
  );
}

function TermLink({ row }: { readonly row: TermRow }) {
  const texts = useTermsTexts();
  const title = <bdi>{row.title || texts.untitled}</bdi>;
  return row.draft ? (
    <Link to="/terms/drafts/$draftId" params={{ draftId: row.draft.id }}>
      {title}
    </Link>
  ) : (
    <Link to="/terms/$termId" params={{ termId: String(row.term?.id) }}>
      {title}
    </Link>
  );
}

function TermDate({ row }: { readonly row: TermRow }) {
  const texts = useTermsTexts();
  const day = useDay();
  const say = { draft: texts.savedAt, scheduled: texts.from } as const;
  const format =
    row.status === "draft" || row.status === "scheduled" ? say[row.status] : texts.since;
  return <time dateTime={row.at}>{format(day(row.at))}</time>;
}
