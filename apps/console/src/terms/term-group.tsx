import { EVERYWHERE } from "../api/grants";
import { useLanguage } from "../language/language-context";
import { ForRoles } from "../ui/for-roles";
import { OrderDialog } from "./order/order-dialog";
import { TermLine } from "./term-line";
import type { TermGroup, TermRow } from "./term-rows";
import styles from "./terms.module.css";
import { useTermsTexts } from "./texts/texts";

interface TermGroupCardProps {
  readonly group: TermGroup;
  /** Whether the lines are in the riders' order. */
  readonly isOrdered: boolean;
  /** Whether all listed versions have ended. */
  readonly isHistory: boolean;
}

/** All terms of one type. */
export function TermGroupCard({ group, isOrdered, isHistory }: TermGroupCardProps) {
  const texts = useTermsTexts();
  const { language } = useLanguage();
  const { type, rows, former } = group;
  const titles = new Map(rows.flatMap(({ term, title }) => (term ? [[term.id, title]] : [])));
  return (
    <section className={`card ${styles.termGroup}`}>
      <header>
        <h2>{type ? <bdi className="mono">{type}</bdi> : texts.noType}</h2>
        {isOrdered && titles.size > 1 && (
          <ForRoles task="terms" scope={EVERYWHERE} isQuiet>
            <OrderDialog type={type} titles={titles} />
          </ForRoles>
        )}
      </header>
      {rows.length > 0 && (
        <TermTable label={type || texts.noType} rows={rows} isOrdered={isOrdered} />
      )}
      {former.length > 0 && (
        <details open={isHistory}>
          <summary>{texts.former(former.length.toLocaleString(language.tag))}</summary>
          <TermTable label={texts.former("")} rows={former} isOrdered={false} />
        </details>
      )}
    </section>
  );
}

function TermTable(props: {
  readonly label: string;
  readonly rows: readonly TermRow[];
  readonly isOrdered: boolean;
}) {
  const { columns } = useTermsTexts();
  return (
    <table className={styles.termTable}>
      <caption className="mu-hidden">{props.label}</caption>
      <thead>
        <tr>
          <th scope="col">{columns.order}</th>
          <th scope="col">{columns.title}</th>
          <th scope="col">{columns.status}</th>
          <th scope="col">{columns.date}</th>
          <th scope="col">{columns.coverage}</th>
        </tr>
      </thead>
      <tbody>
        {props.rows.map((row) => (
          <TermLine key={row.key} row={row} />
        ))}
      </tbody>
    </table>
  );
}
