import { type ChangeEvent, type DragEvent, useId, useState } from "react";
import styles from "./consents.module.css";
import { useConsentsTexts } from "./texts/texts";

/** A receipt has some kilobytes; what is larger is something else. */
const BYTES_MAX = 1_000_000;

interface DropProps {
  readonly onText: (text: string, name: string) => void;
}

/** A file is dropped here, or chosen where there is nothing to drop from. */
export function Drop({ onText }: DropProps) {
  const words = useConsentsTexts();
  const id = useId();
  const [isOver, setOver] = useState(false);
  const [isTooLarge, setTooLarge] = useState(false);

  async function take(file: File | undefined): Promise<void> {
    if (!file) return;
    setTooLarge(file.size > BYTES_MAX);
    if (file.size <= BYTES_MAX) onText(await file.text(), file.name);
  }
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the field in it does the same by keyboard
    <div
      className={styles.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <p aria-hidden="true">{words.drop}</p>
      <input
        id={id}
        type="file"
        className="mu-hidden"
        accept=".json,application/json"
        onChange={(event: ChangeEvent<HTMLInputElement>) => void take(event.target.files?.[0])}
      />
      <label htmlFor={id} className="mu-button" data-kind="primary">
        {words.choose}
      </label>
      {isTooLarge && (
        <p className="failure" role="alert">
          {words.tooLarge}
        </p>
      )}
    </div>
  );
}
