import { Modal } from "@musette/react/ui";
import { Fragment, useSyncExternalStore } from "react";
import { useLanguage } from "../language/language-context";
import { sections } from "../routes/sections";
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
  readonly words: string;
  /** A sequence of chords. The keys of a chord are pressed together; the chords follow each other. */
  readonly keys: readonly (readonly string[])[];
}

/** The list of keyboard shortcuts. */
export function KeyboardMap({ open, onClose }: KeyboardMapProps) {
  const { texts } = useLanguage();
  const words = useKeyboardTexts();
  const areOn = useSyncExternalStore(singleKeys.subscribe, singleKeys.areOn);
  return (
    <Modal open={open} onClose={onClose} label={words.title}>
      <div className={styles.keyboardMap}>
        <header>
          <h2>{words.title}</h2>
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
            {words.singleKeys}
            <small className="note">{words.singleKeysHint}</small>
          </span>
        </label>
      </div>
    </Modal>
  );
}

function Groups() {
  const { texts } = useLanguage();
  const words = useKeyboardTexts();
  const control = isApple ? "⌘" : words.keys.control;
  const pageLines = pageShortcuts().map((it) => ({ words: it.words, keys: [[it.key]] }));
  return (
    <div className={styles.keyboardGroups}>
      {pageLines.length > 0 && <Group title={words.here} lines={pageLines} />}
      <Group
        title={words.everywhere}
        lines={[
          { words: words.palette, keys: [[control, "K"]] },
          { words: words.search, keys: [["/"]] },
          { words: words.map, keys: [["?"]] },
          { words: words.escape, keys: [[words.keys.escape]] },
        ]}
      />
      <Group
        title={words.lists}
        lines={[
          { words: words.rows, keys: [["↓"], ["↑"]] },
          { words: words.tenRows, keys: [[words.keys.pageDown], [words.keys.pageUp]] },
          { words: words.ends, keys: [[words.keys.home], [words.keys.end]] },
          { words: words.openRow, keys: [[words.keys.enter]] },
        ].map((line) => ({ ...line, isEither: true }))}
      />
      <Group
        title={words.goTo}
        lines={sections(texts).map((it) => ({ words: it.words, keys: [["g"], [it.letter]] }))}
      />
    </div>
  );
}

function Group(props: {
  readonly title: string;
  readonly lines: readonly (Line & { readonly isEither?: boolean })[];
}) {
  const words = useKeyboardTexts();
  return (
    <section>
      <h3>{props.title}</h3>
      <dl>
        {props.lines.map((line) => (
          <div key={line.words}>
            <dt>{line.words}</dt>
            <dd>
              {line.keys.map((together, index) => (
                <Fragment key={together.join("+")}>
                  {index > 0 && <span>{line.isEither ? words.or : words.andThen}</span>}
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
