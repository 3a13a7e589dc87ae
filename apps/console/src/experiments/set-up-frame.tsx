import { Button } from "@musette/react/ui";
import type { FormEvent, ReactNode } from "react";
import { useExperimentsTexts } from "./texts/texts";

interface FrameProps {
  readonly isRestored: boolean;
  readonly onDiscard: () => void;
  /** The fields, in their parts. */
  readonly children: ReactNode;
  /** What will happen, and what speaks against it. */
  readonly side: ReactNode;
  /** The first fault, once somebody has tried to go on. */
  readonly fault: string | undefined;
  readonly action: string;
  readonly onAction: () => void;
  /** To be kept and not to begin yet. */
  readonly later?: { readonly words: string; readonly run: () => void };
}

/** A form with what will happen beside it, and what may be done with it below that. */
export function SetUpFrame(props: FrameProps) {
  const { setUp } = useExperimentsTexts();
  const { later, fault } = props;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    props.onAction();
  };
  return (
    <form className="set-up" noValidate onSubmit={submit}>
      {props.isRestored && (
        <p role="status" className="banner restored">
          {setUp.restored}
          <button type="button" className="quiet" onClick={props.onDiscard}>
            {setUp.discard}
          </button>
        </p>
      )}
      <div className="set-up-fields">{props.children}</div>
      <div className="set-up-side">
        {props.side}
        <div className="buttons">
          {later && (
            <Button kind="secondary" onClick={later.run}>
              {later.words}
            </Button>
          )}
          <Button type="submit">{props.action}</Button>
        </div>
        {fault && (
          <p className="failure" role="alert">
            {fault}
          </p>
        )}
      </div>
    </form>
  );
}
