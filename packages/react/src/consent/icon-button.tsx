const paths = {
  back: "m15 5-7 7 7 7",
  close: "m6 6 12 12M18 6 6 18",
  open: "M13 3H6v18h12V8zM13 3v5h5M9 13h6M9 17h6",
};

export interface IconButtonProps {
  readonly icon: keyof typeof paths;
  readonly label: string;
  readonly onClick: () => void;
}

export function IconButton({ icon, label, onClick }: IconButtonProps) {
  return (
    <button
      type="button"
      className="mu-icon-button"
      data-icon={icon}
      aria-label={label}
      onClick={onClick}
    >
      <svg viewBox="0 0 24 24" aria-hidden>
        <path d={paths[icon]} />
      </svg>
    </button>
  );
}
