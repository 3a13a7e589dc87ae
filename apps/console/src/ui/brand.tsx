import styles from "./brand.module.css";
export function Brand() {
  return (
    <span className={styles.brand}>
      <svg aria-hidden="true" viewBox="0 0 32 32">
        <rect width="32" height="32" rx="8" />
        <path d="M9.5 12.5h13L24 24H8zM12.5 12.5a3.5 3.5 0 0 1 7 0M12.5 18l2.5 2.5 4.5-4.5" />
      </svg>
      Musette
    </span>
  );
}
