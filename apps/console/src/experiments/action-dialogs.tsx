import { Button, Modal } from "@musette/react/ui";
import { type FormEvent, useState } from "react";
import { useLanguage } from "../language/language-context";
import styles from "../results/experiments.module.css";
import bannerStyles from "../ui/banner.module.css";
import dialogStyles from "../ui/dialog.module.css";
import type { Action } from "./lifecycle";
import { useExperimentsTexts } from "./texts/texts";

interface ChoiceProps {
  readonly onClose: () => void;
  readonly onChoose: (action: Action) => void;
}

interface ShipProps extends ChoiceProps {
  readonly arms: readonly string[];
  /** The variations that the results show to be better, the best first. */
  readonly winners: readonly string[];
  /** Why the results are not valid. */
  readonly warning?: string | undefined;
}

/** Asks which variation all people should get. */
export function ShipDialog(props: ShipProps & { readonly open: boolean }) {
  const { actions } = useExperimentsTexts();
  return (
    <Modal open={props.open} onClose={props.onClose} label={actions.ship}>
      {props.open && <Ship {...props} />}
    </Modal>
  );
}

function Ship({ arms, winners, warning, onClose, onChoose }: ShipProps) {
  const { actions } = useExperimentsTexts();
  const [winner, setWinner] = useState(winners[0]);
  return (
    <Choice
      title={actions.ship}
      text={actions.shipText}
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
        <legend className="mu-hidden">{actions.winner}</legend>
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
              {winners.includes(arm) ? actions.better : actions.notShown}
            </span>
          </label>
        ))}
      </fieldset>
      {winner !== undefined && !winners.includes(winner) && (
        <p className={bannerStyles.banner}>{actions.notShownText}</p>
      )}
    </Choice>
  );
}

/** Asks whether people keep their variations in the new phase. */
export function PhaseDialog(props: ChoiceProps & { readonly open: boolean }) {
  const { actions } = useExperimentsTexts();
  return (
    <Modal open={props.open} onClose={props.onClose} label={actions.phase}>
      {props.open && <Phase {...props} />}
    </Modal>
  );
}

function Phase({ onClose, onChoose }: ChoiceProps) {
  const { actions } = useExperimentsTexts();
  const [isRedrawn, setRedrawn] = useState(true);
  const ways = [
    { value: true, label: actions.redrawn, hint: actions.redrawnText },
    { value: false, label: actions.same, hint: actions.sameText },
  ];
  return (
    <Choice
      title={actions.phase}
      text={actions.phaseText}
      isReady
      onClose={onClose}
      onSubmit={() => onChoose({ kind: "phase", isRedrawn })}
    >
      <fieldset className={styles.choice}>
        <legend className="mu-hidden">{actions.phase}</legend>
        {ways.map(({ value, label, hint }) => (
          <label key={label}>
            <input
              type="radio"
              name="redrawn"
              checked={value === isRedrawn}
              onChange={() => setRedrawn(value)}
            />
            <span>
              {label}
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
  const { actions } = useExperimentsTexts();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    props.onSubmit();
  };
  return (
    <form className={dialogStyles.confirm} onSubmit={submit}>
      <h2>{props.title}</h2>
      <p className="note">{props.text}</p>
      {props.children}
      <div className={dialogStyles.buttons}>
        <Button kind="secondary" onClick={props.onClose}>
          {texts.cancel}
        </Button>
        <Button type="submit" disabled={!props.isReady}>
          {actions.next}
        </Button>
      </div>
    </form>
  );
}
