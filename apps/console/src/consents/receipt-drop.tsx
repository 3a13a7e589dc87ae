import { useId, useState } from "react";
import { DropZone } from "../ui/drop-zone";
import styles from "./consents.module.css";
import { useConsentsTexts } from "./texts/texts";

/** A receipt has a few kilobytes. A larger file is not a receipt. */
const BYTES_MAX = 1_000_000;

interface ReceiptDropProps {
  readonly onText: (text: string, name: string) => void;
}

/** Accepts a dropped file, or one chosen in the file dialog. */
export function ReceiptDrop({ onText }: ReceiptDropProps) {
  const texts = useConsentsTexts();
  const id = useId();
  const [isTooLarge, setTooLarge] = useState(false);

  async function readFile(file: File | undefined): Promise<void> {
    if (!file) return;
    setTooLarge(file.size > BYTES_MAX);
    if (file.size <= BYTES_MAX) onText(await file.text(), file.name);
  }
  return (
    <DropZone className={styles.drop} onFile={(file) => void readFile(file)}>
      <p aria-hidden="true">{texts.drop}</p>
      <input
        id={id}
        type="file"
        className="mu-hidden"
        accept=".json,application/json"
        onChange={(event) => void readFile(event.target.files?.[0])}
      />
      <label htmlFor={id} className="mu-button" data-kind="primary">
        {texts.choose}
      </label>
      {isTooLarge && (
        <p className="failure" role="alert">
          {texts.tooLarge}
        </p>
      )}
    </DropZone>
  );
}
