import { useQuery } from "@tanstack/react-query";
import { isInside } from "../../api/grants";
import { useOnlyWithin } from "../../api/use-may";
import { inLanguage } from "../../language/in-language";
import { useLanguage } from "../../language/language-context";
import { versionName } from "../../language/version-name";
import { MarketField } from "../../markets/market-field";
import { marketsQuery } from "../../markets/markets-query";
import { useMarketName } from "../../markets/use-market-name";
import { ChoiceField } from "../../ui/choice-field";
import type { PublishedTerm } from "../terms-query";
import { useTermsTexts } from "../texts/texts";
import { withChanges } from "./draft";
import styles from "./draft.module.css";
import { fieldId } from "./errors";
import type { DraftFields } from "./fields";

interface MarketFieldsProps extends DraftFields {
  readonly terms: readonly PublishedTerm[];
  readonly former: PublishedTerm | undefined;
}

/** The market of the text, and the broader text that it replaces; hidden without markets. */
export function MarketFields({ body, edit, errorAt, terms, former }: MarketFieldsProps) {
  const texts = useTermsTexts();
  const { tag } = useLanguage().language;
  const name = useMarketName();
  const markets = useQuery(marketsQuery).data ?? [];
  // A person with limited roles cannot write a text for all markets, whether a market is declared
  // or not.
  const isNarrowed = useOnlyWithin("terms").length > 0;
  const market = body.market ?? "";
  if (markets.length === 0 && !market && !isNarrowed) return null;
  if (former) {
    return former.market ? (
      <section className={`card ${styles.draftPart}`}>
        <h2>{texts.draft.who}</h2>
        <p>
          <bdi>{name(former.market)}</bdi>
        </p>
        <p className="note">{texts.draft.marketFixed}</p>
      </section>
    ) : null;
  }
  const isAround = (term: PublishedTerm) =>
    term.type === body.type &&
    term.id !== body.replaces &&
    (!term.market || (term.market !== market && isInside(market, term.market)));
  const broader = terms.filter(
    (term) => isAround(term) && (!term.replaced_by || term.id === body.instead_of),
  );
  return (
    <section className={`card ${styles.draftPart}`}>
      <h2>{texts.draft.who}</h2>
      <MarketField
        task="terms"
        id={fieldId("/market")}
        hint={texts.draft.marketHint}
        error={errorAt("/market")}
        value={market}
        onChange={(next) =>
          edit((now) => withChanges(now, { market: next || undefined, instead_of: undefined }))
        }
      />
      {market && (
        <ChoiceField
          id={fieldId("/instead_of")}
          label={texts.draft.insteadOf}
          hint={errorAt("/instead_of") ?? texts.draft.insteadOfHint}
          value={String(body.instead_of ?? "")}
          options={[
            { value: "", label: texts.draft.insteadOfNothing },
            ...broader.map((term) => ({
              value: String(term.id),
              label: `${inLanguage(term.variants, tag)?.title} · ${texts.version(versionName(term, tag))}`,
            })),
          ]}
          onChange={(id) =>
            edit((now) => withChanges(now, { instead_of: id ? Number(id) : undefined }))
          }
        />
      )}
    </section>
  );
}
