import { useLanguage } from "../language/language-context";
import styles from "./experiments.module.css";

interface Arm {
  readonly key: string;
  /** In any unit. */
  readonly weight: number;
}

/** The shares of the arms: a bar, and the same as text. */
export function ArmsBar({ arms }: { readonly arms: readonly Arm[] }) {
  const { language } = useLanguage();
  const all = arms.reduce((sum, { weight }) => sum + weight, 0);
  const share = new Intl.NumberFormat(language.tag, {
    style: "percent",
    maximumFractionDigits: 1,
  });
  return (
    <div className={styles.arms}>
      <span className={styles.armsBar} aria-hidden="true">
        {arms.map(({ key, weight }, at) => (
          <span key={key} data-arm={at % 6} style={{ flexGrow: weight }} />
        ))}
      </span>
      <ul>
        {arms.map(({ key, weight }, at) => (
          <li key={key}>
            <i data-arm={at % 6} aria-hidden="true" />
            <bdi>{key}</bdi> {share.format(all > 0 ? weight / all : 0)}
          </li>
        ))}
      </ul>
    </div>
  );
}
