import type { CSSProperties, ReactNode } from "react";
import { enKit } from "../texts/generated/en-kit";
import { type Status, statusColor } from "../theme";

/** Props of `StatusBadge`. */
export interface StatusBadgeProps {
  /** The status, which determines colour and shape. */
  readonly status: Status;
  /** The text. Default: the English name. Colour and shape alone must not carry a meaning. */
  readonly label?: string;
}

const disc = <circle cx="8" cy="8" r="6.5" fill="currentColor" />;
const ring = <circle cx="8" cy="8" r="5.5" />;

/** One shape per status, so that users can distinguish them in greyscale, in sunlight and in forced colours. */
const shapes: Record<Status, ReactNode> = {
  WORKING: disc,
  LATE: <path d="M8 2 15 14H1ZM8 6.5v3.5M8 12v.2" />,
  NOT_WORKING: ring,
  STARTING_SOON: (
    <>
      {ring}
      <path d="M8 4.5V8h2.5" />
    </>
  ),
  FINISHING_SOON: <path d="M8 8V1.5A6.5 6.5 0 1 1 1.5 8Z" fill="currentColor" />,
  OVERTIME: (
    <>
      {disc}
      <path className="mu-badge-knockout" d="M8 5v6M5 8h6" />
    </>
  ),
  PENDING: <path d="M4 2h8M4 14h8M5 2c0 4 6 8 6 12M11 2c0 4-6 8-6 12" />,
  EVALUATED: <path d="M3 2h10v12H3ZM5.5 5.5h5M5.5 8h5M5.5 10.500h3" />,
  IN_DISCUSSION: <path d="M2 3h12v8H8l-3.5 3V11H2Z" />,
  NO_SHOW: (
    <path d="M8 7.500a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM3 14c0-3 2-4.5 5-4.500s5 1.5 5 4.500M2 2l12 12" />
  ),
  ACCEPTED: <path d="m2.5 8.5 3.5 4 7.5-9" />,
  REJECTED: <path d="m3 3 10 10M13 3 3 13" />,
  ACHIEVED: (
    <path
      d="m8 1.5 2 4.300 4.5.6-3.300 3.200.8 4.700L8 12l-4 2.300.8-4.700L1.5 6.400 6 5.800Z"
      fill="currentColor"
    />
  ),
  UNACHIEVED: (
    <path d="m8 1.5 2 4.300 4.5.6-3.300 3.200.8 4.700L8 12l-4 2.300.8-4.700L1.5 6.400 6 5.800Z" />
  ),
  ONGOING: <path d="M13.5 8A5.5 5.5 0 1 1 11 3.400M13.5 1v4h-4" />,
};

/** A badge with the colour and the text of a status. */
export function StatusBadge({ status, label = enKit.ui.status[status] }: StatusBadgeProps) {
  const color = statusColor(status);
  const style = { "--mu-badge": `var(${color})`, "--mu-badge-tint": `var(${color}-tint)` };
  return (
    <span className="mu-badge" data-status={status} style={style as CSSProperties}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        {shapes[status]}
      </svg>
      {label}
    </span>
  );
}
