import styles from "./share-bar.module.css";

/** A bar of a share from 0 to 1. Decorative: the text beside it says the same. */
export function ShareBar(props: { readonly share: number; readonly isThin?: boolean }) {
  return (
    <span className={styles.bar} data-thin={props.isThin || undefined} aria-hidden="true">
      <span style={{ inlineSize: `${100 * props.share}%` }} />
    </span>
  );
}
