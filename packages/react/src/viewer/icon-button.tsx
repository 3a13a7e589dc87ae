export interface IconButtonProps {
  /** The name of the icon. The stylesheet provides it, so that a theme can replace it. */
  readonly icon: string;
  readonly label: string;
  readonly onClick: () => void;
  /** Disables the button but keeps its focus, which must not be lost at the first or last document. */
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
