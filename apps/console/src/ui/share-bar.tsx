import styles from "./share-bar.module.css";

/** How much of a whole, from 0 to 1; the words beside it say the same. */
export function ShareBar(props: { readonly share: number; readonly isThin?: boolean }) {
  return (
    <span className={styles.bar} data-thin={props.isThin || undefined} aria-hidden="true">
      <span style={{ inlineSize: `${100 * props.share}%` }} />
    </span>
  );
}
