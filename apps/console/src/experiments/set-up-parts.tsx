import { Button } from "@musette/react/ui";
import { useId } from "react";
import { unitsOf } from "../configuration/conditions/operators";
import { firstErrorText } from "../configuration/drafts/error-text";
import setUpStyles from "../configuration/drafts/set-up.module.css";
import type { PartProps } from "../configuration/drafts/set-up-form";
import { useLanguage } from "../language/language-context";
import { ArmsBar } from "../results/arms-bar";
import experimentsStyles from "../results/experiments.module.css";
import { isolated } from "../results/use-figures";
import { ChoiceField } from "../ui/choice-field";
import { Field } from "../ui/field";
import { PercentField } from "../ui/percent-field";
import { TickField } from "../ui/tick-field";
import {
  type Draft,
  type ExperimentError,
  equalWeights,
  freeSlot,
  newDraft,
  weightSum,
} from "./draft";
import { useExperimentsTexts } from "./texts/texts";

type Props = PartProps<Draft, ExperimentError>;

export function WhatPart({ document, draft, isNew, errors, onChange }: Props) {
  const texts = useExperimentsTexts();
  const { setUp } = texts;
  const error = firstErrorText(errors, setUp.errors);
  const id = useId();
  const choose = (key: string) => {
    const flag = document.flags.find((flag) => flag.key === key);
    const fresh = newDraft(document, flag);
    onChange(flag ? { flag: key, key: fresh.key, weights: fresh.weights } : { flag: key });
  };
  const flags = document.flags.filter((flag) => !flag.archived && flag.variations.length > 1);
  return (
    <section className={`card ${setUpStyles.formPart}`}>
      <h2>{setUp.what}</h2>
      {isNew && (
        <>
          <Field
            label={texts.flag}
            hint={setUp.flagHint}
            list={`${id}flags`}
            autoComplete="off"
            spellCheck={false}
            value={draft.flag}
            onChange={choose}
            error={error("flag")}
          />
          <datalist id={`${id}flags`}>
            {flags.map(({ key, description }) => (
              <option key={key} value={key}>
                {description}
              </option>
            ))}
          </datalist>
          <Field
            label={setUp.keyField}
            hint={setUp.keyHint}
            autoComplete="off"
            spellCheck={false}
            value={draft.key}
            onChange={(key) => onChange({ key })}
            error={error("key", "keyForm", "keyTaken")}
          />
        </>
      )}
      <Field
        label={texts.hypothesis}
        hint={setUp.hypothesisHint}
        required={false}
        value={draft.hypothesis}
        onChange={(hypothesis) => onChange({ hypothesis })}
      />
    </section>
  );
}

export function SplitPart({ draft, errors, onChange }: Props) {
  const { setUp } = useExperimentsTexts();
  const { language } = useLanguage();
  const error = firstErrorText(errors, setUp.errors);
  const arms = Object.keys(draft.weights);
  const sum = weightSum(draft.weights);
  const percent = new Intl.NumberFormat(language.tag, {
    style: "percent",
    maximumFractionDigits: 3,
  });
  const message = error("arms", "sum");
  if (arms.length === 0) return null;
  return (
    <section className={`card ${setUpStyles.formPart}`}>
      <h2>{setUp.split}</h2>
      <p className="note">{setUp.splitHint}</p>
      <ArmsBar arms={arms.map((key) => ({ key, weight: draft.weights[key] || 0 }))} />
      <div className={setUpStyles.weights}>
        {arms.map((arm) => (
          <PercentField
            key={arm}
            label={setUp.weightOf(isolated(arm))}
            value={draft.weights[arm] ?? 0}
            onChange={(weight) => onChange({ weights: { ...draft.weights, [arm]: weight } })}
          />
        ))}
      </div>
      <div className={experimentsStyles.actionsBar}>
        <output data-tone={sum === 100 ? undefined : "bad"} className="chip">
          {setUp.sum(percent.format((Number.isNaN(sum) ? 0 : sum) / 100))}
        </output>
        <Button kind="secondary" onClick={() => onChange({ weights: equalWeights(arms) })}>
          {setUp.equal}
        </Button>
      </div>
      {message && <p className="failure">{message}</p>}
    </section>
  );
}

export function WhoPart({ document, draft, isNew, errors, onChange }: Props) {
  const { setUp } = useExperimentsTexts();
  const error = firstErrorText(errors, setUp.errors);
  const units = unitsOf(document, draft.unit).map((unit) => ({ value: unit, label: unit }));
  const flag = document.flags.find(({ key }) => key === draft.flag);
  return (
    <section className={`card ${setUpStyles.formPart}`}>
      <h2>{setUp.who}</h2>
      <PercentField
        isSlider
        label={setUp.coverage}
        hint={setUp.coverageHint}
        value={draft.coverage}
        onChange={(coverage) => onChange({ coverage })}
        error={error("coverage")}
      />
      <div className={setUpStyles.formPair}>
        <ChoiceField
          label={setUp.unit}
          hint={setUp.unitHint}
          value={draft.unit}
          options={units}
          onChange={(unit) => onChange({ unit })}
        />
        <ChoiceField
          label={setUp.fallbackUnit}
          hint={setUp.fallbackHint}
          value={draft.fallbackUnit}
          options={[{ value: "", label: setUp.none }, ...units]}
          onChange={(fallbackUnit) => onChange({ fallbackUnit })}
        />
      </div>
      <TickField
        label={setUp.sticky}
        hint={setUp.stickyHint}
        isOn={draft.isSticky}
        onChange={(isSticky) => onChange({ isSticky })}
      />
      <LayerFields document={document} draft={draft} errors={errors} onChange={onChange} />
      {isNew && (flag?.rules.length ?? 0) > 0 && (
        <ChoiceField
          label={setUp.place}
          hint={setUp.placeHint}
          value={draft.isFirst ? "first" : "last"}
          options={[
            { value: "last", label: setUp.places.last },
            { value: "first", label: setUp.places.first },
          ]}
          onChange={(place) => onChange({ isFirst: place === "first" })}
        />
      )}
    </section>
  );
}

/** Placeholder for a new layer. No key can have this value. */
const NEW = "\u0000";

function LayerFields({ document, draft, errors, onChange }: Omit<Props, "isNew" | "original">) {
  const { setUp } = useExperimentsTexts();
  const error = firstErrorText(errors, setUp.errors);
  const keys = document.layers.map(({ key }) => key);
  const isNewLayer = draft.layer !== "" && !keys.includes(draft.layer);
  const choose = (layer: string) =>
    onChange({ layer, slot: freeSlot(document, layer, draft.key) ?? { from: 0, to: 0 } });
  const slot = (end: "from" | "to") => (
    <PercentField
      label={setUp[end]}
      value={draft.slot[end]}
      onChange={(value) => onChange({ slot: { ...draft.slot, [end]: value } })}
      error={end === "to" ? error("slot", "slotTaken") : undefined}
    />
  );
  return (
    <>
      <ChoiceField
        label={setUp.layer}
        hint={setUp.layerHint}
        value={isNewLayer ? NEW : draft.layer}
        options={[
          { value: "", label: setUp.noLayer },
          ...keys.map((key) => ({ value: key, label: key })),
          { value: NEW, label: setUp.newLayer },
        ]}
        onChange={(layer) => choose(layer === NEW ? `${draft.key || "new"}-layer` : layer)}
      />
      {isNewLayer && (
        <Field
          label={setUp.layerName}
          autoComplete="off"
          spellCheck={false}
          value={draft.layer}
          onChange={(layer) => onChange({ layer: layer || " " })}
        />
      )}
      {draft.layer && (
        <div className={setUpStyles.formPair}>
          {slot("from")}
          {slot("to")}
        </div>
      )}
    </>
  );
}
