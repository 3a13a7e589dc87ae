import { type DragEvent, type KeyboardEvent, useState } from "react";
import { FieldErrors, useFieldErrors } from "../../configuration/conditions/field-errors-context";
import type { Flag, FlagsDocument, Rule } from "../../configuration/document/document";
import { useDescriber } from "../../configuration/review/use-describer";
import quietStyles from "../../ui/quiet-button.module.css";
import { moved, newRule } from "../edit-flag";
import { useFlagsTexts } from "../texts/texts";
import type { ChangeFlag } from "../use-flag-draft";
import editorStyles from "./editor.module.css";
import { RuleForm } from "./rule-form";
import rulesStyles from "./rules.module.css";
import { Section } from "./section";

interface RulesProps {
  readonly flag: Flag;
  readonly document: FlagsDocument;
  readonly change: ChangeFlag;
  /** The rule that decided for the previewed person. */
  readonly decided: string | undefined;
}

/** The rules in order: the first match wins. */
export function Rules({ flag, document, change, decided }: RulesProps) {
  const { editor: editorTexts } = useFlagsTexts();
  const [open, setOpen] = useState<string>();
  const [dragged, setDragged] = useState<number>();
  const setRules = (update: (rules: readonly Rule[]) => readonly Rule[]) =>
    change((current) => ({ ...current, rules: update(current.rules) }));
  const add = () => {
    const rule = newRule(flag);
    setRules((rules) => [...rules, rule]);
    setOpen(rule.id);
  };
  return (
    <Section title={editorTexts.rules} hint={editorTexts.rulesHint}>
      {flag.rules.length === 0 && (
        <p className="note">{editorTexts.noRules(flag.defaultVariation)}</p>
      )}
      <ol className={rulesStyles.rules}>
        {flag.rules.map((rule, at) => (
          <RuleCard
            key={rule.id}
            {...{ flag, document, rule, at, setRules, dragged, setDragged }}
            isDecided={decided === rule.id}
            isOpen={open === rule.id}
            onToggle={() => setOpen(open === rule.id ? undefined : rule.id)}
          />
        ))}
      </ol>
      <FieldErrors at="/rules" />
      <button type="button" className={`${quietStyles.quiet} ${editorStyles.add}`} onClick={add}>
        {editorTexts.addRule}
      </button>
      {flag.rules.length > 0 && (
        <p className="note">{editorTexts.everybodyElse(flag.defaultVariation)}</p>
      )}
    </Section>
  );
}

interface RuleCardProps extends Pick<RulesProps, "flag" | "document"> {
  readonly rule: Rule;
  readonly at: number;
  readonly setRules: (update: (rules: readonly Rule[]) => readonly Rule[]) => void;
  readonly dragged: number | undefined;
  readonly setDragged: (at: number | undefined) => void;
  readonly isDecided: boolean;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function RuleCard(props: RuleCardProps) {
  const { flag, document, rule, at, setRules, dragged, setDragged, isDecided, isOpen } = props;
  const { editor: editorTexts } = useFlagsTexts();
  const describer = useDescriber();
  const errors = useFieldErrors(`/rules/${at}`, true);
  const onDragOver = (event: DragEvent) => {
    if (dragged === undefined) return;
    event.preventDefault();
    if (dragged === at) return;
    setRules((rules) => moved(rules, dragged, at));
    setDragged(at);
  };
  return (
    <li
      className={rulesStyles.rule}
      data-decided={isDecided || undefined}
      data-dragged={dragged === at || undefined}
      data-invalid={errors.length > 0 || undefined}
      onDragOver={onDragOver}
      onDrop={(event) => event.preventDefault()}
    >
      <div className={rulesStyles.ruleHead}>
        <MoveHandle {...props} count={flag.rules.length} />
        <button
          type="button"
          className={rulesStyles.ruleOpen}
          aria-expanded={isOpen}
          onClick={props.onToggle}
        >
          <span className={rulesStyles.ruleNumber}>{at + 1}</span>
          <span className={rulesStyles.ruleTexts}>
            {rule.name && <strong>{rule.name}</strong>}
            <span className={rulesStyles.ruleTold}>
              {describer.texts.ifThen(describer.condition(rule.when), describer.serve(rule.serve))}
            </span>
            {isDecided && <span className="chip">{editorTexts.decided}</span>}
            {errors.length > 0 && (
              <span className="chip" data-tone="bad">
                {describer.texts.errors(errors.length)}
              </span>
            )}
          </span>
        </button>
      </div>
      {isOpen && (
        <RuleForm
          flag={flag}
          document={document}
          rule={rule}
          at={at}
          onChange={(next) =>
            setRules((rules) => rules.map((entry) => (entry.id === rule.id ? next : entry)))
          }
          onRemove={() => setRules((rules) => rules.filter((entry) => entry.id !== rule.id))}
        />
      )}
    </li>
  );
}

/** The handle for dragging with a pointer. With the keyboard, the arrow keys move the focused rule. */
function MoveHandle(props: RuleCardProps & { readonly count: number }) {
  const { rule, at, count, setRules, setDragged } = props;
  const { editor: editorTexts } = useFlagsTexts();
  const move = (to: number) => setRules((rules) => moved(rules, at, to));
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
    if (!step) return;
    event.preventDefault();
    move(at + step);
  };
  return (
    <span className={rulesStyles.move}>
      <button
        type="button"
        draggable
        className={rulesStyles.moveHandle}
        aria-label={editorTexts.moveRule(String(at + 1), String(count))}
        title={editorTexts.moveHint}
        onKeyDown={onKeyDown}
        onDragStart={(event) => {
          // Firefox only drags an element that carries data.
          event.dataTransfer.setData("text/plain", rule.id);
          event.dataTransfer.effectAllowed = "move";
          setDragged(at);
        }}
        onDragEnd={() => setDragged(undefined)}
      >
        <svg aria-hidden="true" viewBox="0 0 16 24">
          <path d="M5 6h.01M11 6h.01M5 12h.01M11 12h.01M5 18h.01M11 18h.01" />
        </svg>
      </button>
      <button
        type="button"
        className={rulesStyles.moveStep}
        aria-label={editorTexts.ruleUp(String(at + 1))}
        disabled={at === 0}
        onClick={() => move(at - 1)}
      >
        ↑
      </button>
      <button
        type="button"
        className={rulesStyles.moveStep}
        aria-label={editorTexts.ruleDown(String(at + 1))}
        disabled={at === count - 1}
        onClick={() => move(at + 1)}
      >
        ↓
      </button>
    </span>
  );
}
