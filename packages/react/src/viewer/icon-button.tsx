export interface IconButtonProps {
  /** Drawn by the stylesheet, so that a theme can have its own. */
  readonly icon: string;
  readonly label: string;
  readonly onClick: () => void;
  /** Off, but it keeps the focus, which must not vanish at the first or last document. */
  readonly off?: boolean;
}

export function IconButton({ icon, label, onClick, off }: IconButtonProps) {
  return (
    <button
      type="button"
      className="mu-viewer-icon"
      data-icon={icon}
      title={label}
      aria-disabled={off}
      onClick={() => off || onClick()}
    />
  );
}
