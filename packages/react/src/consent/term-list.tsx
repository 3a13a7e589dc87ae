import { agreeAllState, type Term } from "@musette/client/terms";
import { type ReactNode, useId } from "react";
import type { ConsentTextsAtHand } from "../texts";
import { Checkbox } from "../ui";
import { IconButton } from "./icon-button";

interface CheckboxRowProps {
  readonly checked: boolean | "mixed";
  readonly locked: boolean;
  readonly title: ReactNode;
  readonly openLabel: string;
  readonly notes?: ReactNode;
  readonly termId?: number;
  readonly required?: boolean;
  readonly below?: ReactNode;
  readonly onToggle: () => void;
  readonly onOpen: () => void;
}

/** A row with a checkbox. Its label covers the whole row as a large touch target, below the open icon. */
function CheckboxRow({
  checked,
  locked,
  title,
  openLabel,
  notes,
  termId,
  required,
  ...rest
}: CheckboxRowProps) {
  const id = useId();
  return (
    <li className="mu-term" data-term={termId ?? "all"} data-ticked={checked}>
      <Checkbox
        id={id}
        checked={checked}
        disabled={locked}
        onToggle={rest.onToggle}
        aria-required={required}
        aria-describedby={notes ? `${id}notes` : undefined}
      />
      <div className="mu-term-words">
        <label htmlFor={id}>{title}</label>
        {notes && (
          <div className="mu-term-notes" id={`${id}notes`}>
            {notes}
          </div>
        )}
      </div>
      <IconButton icon="open" label={openLabel} onClick={rest.onOpen} />
      {rest.below}
    </li>
  );
}

interface TermRowProps {
  readonly term: Term;
  readonly ticked: boolean;
  readonly changed: boolean;
  readonly declined: boolean;
  readonly requiredFrom: string | undefined;
  readonly otherLanguage: string | undefined;
  readonly below: ReactNode;
  readonly locked: boolean;
  readonly texts: ConsentTextsAtHand;
  readonly onToggle: () => void;
  readonly onOpen: () => void;
}

function TermRow({ term, ticked, changed, declined, otherLanguage, ...rest }: TermRowProps) {
  const { texts, requiredFrom } = rest;
  return (
    <CheckboxRow
      {...rest}
      termId={term.id}
      checked={ticked}
      required={term.mandatory}
      // The title may have another text direction than the page, or contain direction marks.
      title={<bdi lang={term.locale}>{term.title}</bdi>}
      openLabel={texts.open(term.title)}
      notes={
        (!term.mandatory || changed || otherLanguage || requiredFrom) && (
          <>
            {!term.mandatory && <span className="mu-tag">{texts.optional}</span>}
            {otherLanguage && <span className="mu-tag">{otherLanguage}</span>}
            {changed && (
              <span className="mu-tag" data-kind="changed">
                {texts.changed}
              </span>
            )}
            {changed && term.summary && <bdi>{term.summary}</bdi>}
            {declined && texts.declined && <span>{texts.declined}</span>}
            {requiredFrom && <span>{requiredFrom}</span>}
          </>
        )
      }
    />
  );
}

interface AgreeAllRowProps {
  readonly checked: boolean | "mixed";
  readonly locked: boolean;
  readonly terms: readonly Term[];
  readonly texts: ConsentTextsAtHand;
  readonly onToggle: () => void;
  readonly onOpen: () => void;
}

function AgreeAllRow({ terms, texts, ...rest }: AgreeAllRowProps) {
  const note = texts.agreeAllNote(terms.length);
  return (
    <CheckboxRow
      {...rest}
      title={texts.agreeAll}
      openLabel={texts.openAll}
      // The note says that optional terms are included. A list of one term needs no note.
      notes={terms.length > 1 && terms.some((term) => !term.mandatory) && note}
    />
  );
}

export interface TermListProps {
  readonly terms: readonly Term[];
  readonly ticks: readonly boolean[];
  readonly changed: ReadonlySet<number>;
  /** The ids of the terms that the user declined earlier. */
  readonly declined: ReadonlySet<number>;
  /** Returns a note if a term is required only later. */
  readonly requiredFrom: (term: Term) => string | undefined;
  /** Returns a note if a document is not in the requested language. */
  readonly otherLanguage: (term: Term) => string | undefined;
  readonly below?: ((term: Term) => ReactNode) | undefined;
  readonly locked: boolean;
  readonly texts: ConsentTextsAtHand;
  readonly onToggle: (id: number) => void;
  readonly onToggleAll: () => void;
  readonly onOpen: (terms: readonly Term[]) => void;
}

export function TermList({ terms, ticks, changed, declined, ...rest }: TermListProps) {
  const { onOpen, otherLanguage, requiredFrom } = rest;
  const { locked, texts } = rest;
  return (
    <fieldset className="mu-terms">
      <legend className="mu-hidden">{texts.title}</legend>
      <ul>
        <AgreeAllRow
          checked={agreeAllState(ticks)}
          locked={locked}
          terms={terms}
          texts={texts}
          onToggle={rest.onToggleAll}
          onOpen={() => onOpen(terms)}
        />
        {terms.map((term, index) => (
          <TermRow
            key={term.id}
            term={term}
            ticked={ticks[index] === true}
            changed={changed.has(term.id)}
            declined={declined.has(term.id)}
            requiredFrom={requiredFrom(term)}
            otherLanguage={otherLanguage(term)}
            below={rest.below?.(term)}
            locked={locked}
            texts={texts}
            onToggle={() => rest.onToggle(term.id)}
            onOpen={() => onOpen([term])}
          />
        ))}
      </ul>
    </fieldset>
  );
}
