import { Button, Modal } from "@musette/react/ui";
import { type FormEvent, useState } from "react";
import { useLanguage } from "../language/language-context";
import styles from "../results/experiments.module.css";
import type { Deed } from "./lifecycle";
import { useExperimentsTexts } from "./texts/texts";

interface ChoiceProps {
  readonly onClose: () => void;
  readonly onChoose: (deed: Deed) => void;
}

interface ShipProps extends ChoiceProps {
  readonly arms: readonly string[];
  /** Those that the results show to be better, the best first. */
  readonly winners: readonly string[];
  /** Why the results cannot be read. */
  readonly warning?: string | undefined;
}

/** Which variation everybody is to get. */
export function ShipDialog(props: ShipProps & { readonly open: boolean }) {
  const { deeds } = useExperimentsTexts();
  return (
    <Modal open={props.open} onClose={props.onClose} label={deeds.ship}>
      {props.open && <Ship {...props} />}
    </Modal>
  );
}

function Ship({ arms, winners, warning, onClose, onChoose }: ShipProps) {
  const { deeds } = useExperimentsTexts();
  const [winner, setWinner] = useState(winners[0]);
  return (
    <Choice
      title={deeds.ship}
      text={deeds.shipText}
      isReady={winner !== undefined}
      onClose={onClose}
      onSubmit={() => winner !== undefined && onChoose({ kind: "ship", winner })}
    >
      {warning && (
        <p className="failure" role="alert">
          {warning}
        </p>
      )}
      <fieldset className={styles.choice}>
        <legend className="mu-hidden">{deeds.winner}</legend>
        {arms.map((arm) => (
          <label key={arm}>
            <input
              type="radio"
              name="winner"
              checked={arm === winner}
              onChange={() => setWinner(arm)}
            />
            <span>
              <bdi>{arm}</bdi>
            </span>
            <span className="chip" data-tone={winners.includes(arm) ? "good" : undefined}>
              {winners.includes(arm) ? deeds.better : deeds.notShown}
            </span>
          </label>
        ))}
      </fieldset>
      {winner !== undefined && !winners.includes(winner) && (
        <p className="banner">{deeds.notShownText}</p>
      )}
    </Choice>
  );
}

/** Whether people keep their variations when counting begins anew. */
export function PhaseDialog(props: ChoiceProps & { readonly open: boolean }) {
  const { deeds } = useExperimentsTexts();
  return (
    <Modal open={props.open} onClose={props.onClose} label={deeds.phase}>
      {props.open && <Phase {...props} />}
    </Modal>
  );
}

function Phase({ onClose, onChoose }: ChoiceProps) {
  const { deeds } = useExperimentsTexts();
  const [isRedrawn, setRedrawn] = useState(true);
  const ways = [
    { value: true, words: deeds.redrawn, hint: deeds.redrawnText },
    { value: false, words: deeds.same, hint: deeds.sameText },
  ];
  return (
    <Choice
      title={deeds.phase}
      text={deeds.phaseText}
      isReady
      onClose={onClose}
      onSubmit={() => onChoose({ kind: "phase", isRedrawn })}
    >
      <fieldset className={styles.choice}>
        <legend className="mu-hidden">{deeds.phase}</legend>
        {ways.map(({ value, words, hint }) => (
          <label key={words}>
            <input
              type="radio"
              name="redrawn"
              checked={value === isRedrawn}
              onChange={() => setRedrawn(value)}
            />
            <span>
              {words}
              <small className="note">{hint}</small>
            </span>
          </label>
        ))}
      </fieldset>
    </Choice>
  );
}

function Choice(props: {
  readonly title: string;
  readonly text: string;
  readonly isReady: boolean;
  readonly onClose: () => void;
  readonly onSubmit: () => void;
  readonly children: React.ReactNode;
}) {
  const { texts } = useLanguage();
  const { deeds } = useExperimentsTexts();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    props.onSubmit();
  };
  return (
    <form className="confirm" onSubmit={submit}>
      <h2>{props.title}</h2>
      <p className="note">{props.text}</p>
      {props.children}
      <div className="buttons">
        <Button kind="secondary" onClick={props.onClose}>
          {texts.cancel}
        </Button>
        <Button type="submit" disabled={!props.isReady}>
          {deeds.next}
        </Button>
      </div>
    </form>
  );
}
