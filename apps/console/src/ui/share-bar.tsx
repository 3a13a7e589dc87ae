import styles from "./share-bar.module.css";

/** A bar for a share from 0 to 1. Decorative, because the text next to it says the same. */
export function ShareBar(props: { readonly share: number; readonly isThin?: boolean }) {
  return (
    <span className={styles.bar} data-thin={props.isThin || undefined} aria-hidden="true">
      <span style={{ inlineSize: `${100 * props.share}%` }} />
    </span>
  );
}
