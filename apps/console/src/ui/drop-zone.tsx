import { type ReactNode, useState } from "react";

/**
 * A place to drop a file. It contains a button or a file input that does the same with mouse and
 * keyboard.
 */
export function DropZone(props: {
  readonly className: string | undefined;
  readonly onFile: (file: File) => void;
  readonly children: ReactNode;
}) {
  const [isOver, setOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its content does the same by keyboard
    <div
      className={props.className}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const file = event.dataTransfer.files[0];
        if (file) props.onFile(file);
      }}
    >
      {props.children}
    </div>
  );
}
