import { MarketField } from "../../markets/market-field";
import type { PublishedTerm } from "../../terms/terms-query";
import { ChoiceField } from "../../ui/choice-field";
import styles from "../campaigns.module.css";
import { useCampaignsTexts } from "../texts/texts";
import { useTermName } from "../use-terms";
import { defaultText } from "./default-texts";
import type { ErrorAt } from "./errors";
import type { CampaignForm } from "./form";

export interface CampaignFieldsProps {
  readonly form: CampaignForm;
  readonly edit: (change: (form: CampaignForm) => CampaignForm) => void;
  readonly errorAt: ErrorAt;
  readonly term: PublishedTerm | undefined;
}

interface AudienceFieldsProps extends CampaignFieldsProps {
  readonly terms: ReadonlyMap<number, PublishedTerm>;
  /** Whether the campaign has started, so that the document cannot be changed. */
  readonly isFixed: boolean;
}

/** Chooses the document, and the market of the riders. */
export function AudienceFields(props: AudienceFieldsProps) {
  const { form, edit, errorAt, terms, isFixed } = props;
  const texts = useCampaignsTexts();
  const termName = useTermName();
  const offered = [...terms.values()].filter(
    ({ id, status }) => ["active", "scheduled"].includes(status) || String(id) === form.term,
  );
  const error = errorAt("/term_id");
  return (
    <section className={`card ${styles.section}`}>
      <h2>{texts.audience}</h2>
      <ChoiceField
        label={texts.document}
        hint={texts.documentHint}
        value={form.term}
        disabled={isFixed}
        aria-invalid={error ? true : undefined}
        options={[
          { value: "", label: texts.chooseDocument },
          ...offered.map((term) => ({ value: String(term.id), label: termName(term.id, term) })),
        ]}
        onChange={(term) => edit((now) => withTerm(now, term, terms.get(Number(term))))}
      />
      {error && (
        <p className="failure" role="alert">
          {error}
        </p>
      )}
      <MarketField
        label={texts.market}
        hint={texts.marketHint}
        task="terms"
        value={form.market}
        error={errorAt("/market")}
        onChange={(market) => edit((now) => ({ ...now, market }))}
      />
    </section>
  );
}

/** Chooses a document. A form without texts gets one for each language of the document. */
export function withTerm(
  form: CampaignForm,
  id: string,
  term: PublishedTerm | undefined,
): CampaignForm {
  const isEmpty = Object.keys(form.texts).length === 0;
  return { ...form, term: id, ...(isEmpty && term && { texts: textsFor(term) }) };
}

export const textsFor = ({ variants, kind }: PublishedTerm): CampaignForm["texts"] =>
  Object.fromEntries(
    variants.map(({ locale }) => [locale, defaultText(locale, kind === "notice")]),
  );
