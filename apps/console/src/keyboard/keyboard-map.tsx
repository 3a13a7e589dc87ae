import { Modal } from "@musette/react/ui";
import { Fragment, useSyncExternalStore } from "react";
import { useRoles } from "../api/use-roles";
import { useLanguage } from "../language/language-context";
import { sectionsFor } from "../routes/sections";
import { Icon } from "../ui/icon";
import iconButtonStyles from "../ui/icon-button.module.css";
import styles from "./keyboard.module.css";
import { isApple } from "./platform";
import { singleKeys } from "./single-keys";
import { useKeyboardTexts } from "./texts/texts";
import { pageShortcuts } from "./use-shortcut";

export interface KeyboardMapProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

interface Line {
  readonly label: string;
  /** A sequence of chords. The keys of a chord are pressed together; the chords follow each other. */
  readonly keys: readonly (readonly string[])[];
}

/** The list of keyboard shortcuts. */
export function KeyboardMap({ open, onClose }: KeyboardMapProps) {
  const { texts } = useLanguage();
  const keyboardTexts = useKeyboardTexts();
  const areOn = useSyncExternalStore(singleKeys.subscribe, singleKeys.areOn);
  return (
    <Modal open={open} onClose={onClose} label={keyboardTexts.title}>
      <div className={styles.keyboardMap}>
        <header>
          <h2>{keyboardTexts.title}</h2>
          <button
            type="button"
            className={iconButtonStyles.iconButton}
            aria-label={texts.close}
            onClick={onClose}
          >
            <Icon name="close" />
          </button>
        </header>
        <Groups />
        <label className={styles.keyboardSwitch}>
          <input
            type="checkbox"
            checked={areOn}
            onChange={(event) => singleKeys.switch(event.target.checked)}
          />
          <span>
            {keyboardTexts.singleKeys}
            <small className="note">{keyboardTexts.singleKeysHint}</small>
          </span>
        </label>
      </div>
    </Modal>
  );
}

function Groups() {
  const { texts } = useLanguage();
  const roles = useRoles();
  const keyboardTexts = useKeyboardTexts();
  const control = isApple ? "⌘" : keyboardTexts.keys.control;
  const pageLines = pageShortcuts().map((shortcut) => ({
    label: shortcut.label,
    keys: [[shortcut.key]],
  }));
  return (
    <div className={styles.keyboardGroups}>
      {pageLines.length > 0 && <Group title={keyboardTexts.here} lines={pageLines} />}
      <Group
        title={keyboardTexts.everywhere}
        lines={[
          { label: keyboardTexts.palette, keys: [[control, "K"]] },
          { label: keyboardTexts.search, keys: [["/"]] },
          { label: keyboardTexts.map, keys: [["?"]] },
          { label: keyboardTexts.escape, keys: [[keyboardTexts.keys.escape]] },
        ]}
      />
      <Group
        title={keyboardTexts.lists}
        lines={[
          { label: keyboardTexts.rows, keys: [["↓"], ["↑"]] },
          {
            label: keyboardTexts.tenRows,
            keys: [[keyboardTexts.keys.pageDown], [keyboardTexts.keys.pageUp]],
          },
          {
            label: keyboardTexts.ends,
            keys: [[keyboardTexts.keys.home], [keyboardTexts.keys.end]],
          },
          { label: keyboardTexts.openRow, keys: [[keyboardTexts.keys.enter]] },
        ].map((line) => ({ ...line, isEither: true }))}
      />
      <Group
        title={keyboardTexts.goTo}
        lines={sectionsFor(texts, roles).map((section) => ({
          label: section.label,
          keys: [["g"], [section.letter]],
        }))}
      />
    </div>
  );
}

function Group(props: {
  readonly title: string;
  readonly lines: readonly (Line & { readonly isEither?: boolean })[];
}) {
  const texts = useKeyboardTexts();
  return (
    <section>
      <h3>{props.title}</h3>
      <dl>
        {props.lines.map((line) => (
          <div key={line.label}>
            <dt>{line.label}</dt>
            <dd>
              {line.keys.map((together, index) => (
                <Fragment key={together.join("+")}>
                  {index > 0 && <span>{line.isEither ? texts.or : texts.andThen}</span>}
                  <span dir="ltr">
                    {together.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </span>
                </Fragment>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
