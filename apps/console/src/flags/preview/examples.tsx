import { useState } from "react";
import iconButtonStyles from "../../ui/icon-button.module.css";
import quietStyles from "../../ui/quiet-button.module.css";
import { useFlagsTexts } from "../texts/texts";
import { type Example, examples, type Person, storeExamples } from "./person";
import styles from "./preview.module.css";

/** Example people for repeated use, stored in this browser. */
export function Examples(props: {
  readonly person: Person;
  readonly onChoose: (person: Person) => void;
}) {
  const { person, onChoose } = props;
  const { preview: previewTexts } = useFlagsTexts();
  const [list, setList] = useState(examples);
  const [name, setName] = useState("");
  const keep = (next: readonly Example[]) => {
    storeExamples(next);
    setList(next);
  };
  return (
    <details className={styles.examples}>
      <summary>{previewTexts.examples}</summary>
      {list.length > 0 && (
        <ul>
          {list.map((example) => (
            <li key={example.name}>
              <button
                type="button"
                className={quietStyles.quiet}
                onClick={() => onChoose(example.person)}
              >
                <bdi>{example.name}</bdi>
              </button>
              <button
                type="button"
                className={iconButtonStyles.iconButton}
                aria-label={previewTexts.forget(example.name)}
                onClick={() => keep(list.filter((one) => one !== example))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const called = name.trim();
          if (!called) return;
          keep([...list.filter((example) => example.name !== called), { name: called, person }]);
          setName("");
        }}
      >
        <input
          aria-label={previewTexts.exampleName}
          placeholder={previewTexts.exampleName}
          dir="auto"
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <button type="submit" className={quietStyles.quiet} disabled={!name.trim()}>
          {previewTexts.keep}
        </button>
      </form>
    </details>
  );
}
