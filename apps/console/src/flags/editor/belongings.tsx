import { Link } from "@tanstack/react-router";
import type { Flag, FlagsDocument } from "../../configuration/document/document";
import { FlagLink } from "../../configuration/document/flag-link";
import { useDescriber } from "../../configuration/review/use-describer";
import { experimentsOf, holdoutsOf, referencesTo } from "../edit-flag";
import { useFlagsTexts } from "../texts/texts";
import styles from "./editor.module.css";
import { Section } from "./section";

/**
 * Shows the objects that influence this flag, and those that it influences. They are edited
 * elsewhere.
 */
export function Relations(props: { readonly flag: Flag; readonly document: FlagsDocument }) {
  const { flag, document } = props;
  const { editor: editorTexts } = useFlagsTexts();
  const { percent, texts: told } = useDescriber();
  const holdouts = holdoutsOf(document, flag);
  const own = new Set(experimentsOf(flag).map(({ key }) => key));
  const slots = document.layers.flatMap((layer) =>
    layer.slots.filter((slot) => own.has(slot.experiment)).map((slot) => ({ layer, slot })),
  );
  const needed = referencesTo(document, flag).flags;
  if (holdouts.length + slots.length + needed.length === 0) return null;
  return (
    <Section title={editorTexts.belongs}>
      <dl className={styles.belongings}>
        {holdouts.length > 0 && (
          <div>
            <dt>{editorTexts.holdouts}</dt>
            {holdouts.map(({ key, percent: share, status }) => (
              <dd key={key}>
                <Link to="/holdouts" className="mono">
                  <bdi>{key}</bdi>
                </Link>{" "}
                {percent(share)} <span className="chip">{told.holdoutStatus[status]}</span>
              </dd>
            ))}
          </div>
        )}
        {slots.length > 0 && (
          <div>
            <dt>{editorTexts.layers}</dt>
            {slots.map(({ layer, slot }) => (
              <dd key={`${layer.key} ${slot.from}`}>
                <bdi className="mono">{layer.key}</bdi>{" "}
                {editorTexts.slot(percent((slot.to - slot.from) / 1000), slot.experiment)}
              </dd>
            ))}
          </div>
        )}
        {needed.length > 0 && (
          <div>
            <dt>{editorTexts.neededBy}</dt>
            {needed.map((key) => (
              <dd key={key}>
                <FlagLink flag={key} />
              </dd>
            ))}
          </div>
        )}
      </dl>
    </Section>
  );
}
