const ICONS = {
  close: "M6 6l12 12M18 6L6 18",
  previous: "M15 5l-7 7 7 7",
  next: "M9 5l7 7-7 7",
  less: "M5 12h14",
  more: "M5 12h14M12 5v14",
  pdf: "M12 4v11M7 11l5 5 5-5M5 20h14",
  text: "M4 6h16M4 11h16M4 16h10",
  pages: "M6 3h9l3 3v15H6zM9 11h6M9 15h6",
} as const;

interface IconProps {
  readonly icon: keyof typeof ICONS;
  readonly label: string;
  /** The label is shown beside the icon where there is room. */
  readonly worded?: boolean;
}

export function Icon({ icon, label, worded }: IconProps) {
  return (
    <>
      <svg viewBox="0 0 24 24" aria-hidden="true" data-icon={icon}>
        <path d={ICONS[icon]} />
      </svg>
      <span className={worded ? "mu-viewer-word" : "mu-viewer-hidden"}>{label}</span>
    </>
  );
}

interface IconButtonProps extends IconProps {
  readonly onClick: () => void;
  /** Off, but it keeps the focus, which must not vanish at the first or last document. */
  readonly off?: boolean;
}

export function IconButton({ onClick, off, ...icon }: IconButtonProps) {
  return (
    <button
      type="button"
      className="mu-viewer-icon"
      title={icon.label}
      aria-disabled={off || undefined}
      onClick={() => off || onClick()}
    >
      <Icon {...icon} />
    </button>
  );
}
