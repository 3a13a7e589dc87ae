import { type PointerEvent, useState } from "react";
import { calendarFormat } from "../language/date-format";
import { useLanguage } from "../language/language-context";
import styles from "./day-chart.module.css";
import { type Column, labelsIn, type Mark, roundUpForAxis, total } from "./days";

export interface Series {
  readonly name: string;
  /** Determines the colour, and the pattern that replaces it in forced colours. */
  readonly tone: "good" | "bad" | "warning";
}

interface DayChartProps {
  readonly label: string;
  readonly columns: readonly Column[];
  readonly series: readonly Series[];
  /** The legend names them as `texts.marks`. */
  readonly marks?: readonly Mark[];
  readonly texts: {
    readonly marks?: string;
    readonly asTable: string;
    readonly day: string;
    readonly hint: string;
  };
}

/** Stacked columns by day, which can also be read with the arrow keys and as a table. */
export function DayChart({ label, columns, series, texts, marks = [] }: DayChartProps) {
  const { tag } = useLanguage().language;
  const span = useSpan();
  const [at, setAt] = useState<number>();
  const top = roundUpForAxis(Math.max(...columns.map(({ values }) => total(values))));
  const shown = at === undefined ? undefined : columns[at];
  const count = (value: number) => value.toLocaleString(tag);
  const description = (column: Column) =>
    `${span(column)}: ${[
      ...series.map(({ name }, index) => `${name} ${count(column.values[index] ?? 0)}`),
      ...labelsIn(column, marks),
    ].join(" · ")}`;
  const isMarked = columns.some((column) => labelsIn(column, marks).length > 0);
  const [first, last] = [columns[0], columns.at(-1)];
  return (
    <figure className={styles.dayChart}>
      <p className={styles.dayChartLegend}>
        {series.map(({ name, tone }) => (
          <span key={name} data-tone={tone}>
            {name}
          </span>
        ))}
        {isMarked && <span data-tone="mark">{texts.marks}</span>}
      </p>
      <div className={styles.dayChartBody}>
        <div className={styles.dayChartAxis} aria-hidden="true">
          <span>{count(top)}</span>
          <span>{count(top / 2)}</span>
          <span>{count(0)}</span>
        </div>
        <div className={styles.dayChartPlot}>
          <Columns {...{ columns, series, marks, top, at }} />
          <input
            type="range"
            aria-label={label}
            aria-valuetext={last && description(shown ?? last)}
            min={0}
            max={columns.length - 1}
            value={at ?? columns.length - 1}
            onChange={(event) => setAt(Number(event.target.value))}
            onFocus={() => setAt(at ?? columns.length - 1)}
            onPointerMove={(event) => setAt(columnAtPointer(event, columns.length))}
            onPointerLeave={() => setAt(undefined)}
          />
        </div>
      </div>
      <div className={styles.dayChartDays} aria-hidden="true">
        <span>{first && span(first)}</span>
        <span>{last && span(last)}</span>
      </div>
      <p className={`${styles.dayChartSaid} note`}>{shown ? description(shown) : texts.hint}</p>
      <DayTable {...{ label, columns, series, marks, texts, span }} />
    </figure>
  );
}

/** Returns the index of the column under the pointer, in reading direction. */
function columnAtPointer(event: PointerEvent<HTMLElement>, count: number): number {
  const box = event.currentTarget.getBoundingClientRect();
  const part = (event.clientX - box.left) / box.width;
  const isRtl = getComputedStyle(event.currentTarget).direction === "rtl";
  return Math.min(Math.max(Math.floor((isRtl ? 1 - part : part) * count), 0), count - 1);
}

interface DayTableProps extends DayChartProps {
  readonly span: (column: Column) => string;
}

function DayTable({ label, columns, series, texts, span, marks = [] }: DayTableProps) {
  const { tag } = useLanguage().language;
  return (
    <details>
      <summary>{texts.asTable}</summary>
      <table>
        <caption className="mu-hidden">{label}</caption>
        <thead>
          <tr>
            <th scope="col">{texts.day}</th>
            {series.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {columns
            .filter((column) => total(column.values) > 0 || labelsIn(column, marks).length > 0)
            .map((column) => (
              <tr key={column.from}>
                <th scope="row">
                  {span(column)}
                  {labelsIn(column, marks).map((mark) => (
                    <span key={mark} className="note">
                      {" "}
                      {mark}
                    </span>
                  ))}
                </th>
                {series.map(({ name }, index) => (
                  <td key={name}>{(column.values[index] ?? 0).toLocaleString(tag)}</td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </details>
  );
}

interface ColumnsProps extends Pick<DayChartProps, "columns" | "series"> {
  readonly marks: readonly Mark[];
  readonly top: number;
  readonly at: number | undefined;
}

/** Shapes without text, so that the SVG can be stretched and mirrored. */
function Columns({ columns, series, marks, top, at }: ColumnsProps) {
  return (
    <svg
      className={styles.dayChartColumns}
      viewBox={`0 0 ${columns.length} 100`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path className={styles.dayChartLines} d={`M0 0H${columns.length}M0 50H${columns.length}`} />
      {columns.map((column, index) => {
        const { from, values } = column;
        let below = 0;
        return (
          <g key={from} data-at={index === at || undefined}>
            <rect className={styles.dayChartHit} x={index} width={1} height={100} />
            {series.map(({ name, tone }, place) => {
              const height = (100 * (values[place] ?? 0)) / top;
              below += height;
              return (
                <rect
                  key={name}
                  data-tone={tone}
                  x={index + 0.12}
                  width={0.76}
                  y={100 - below}
                  height={height}
                />
              );
            })}
            {labelsIn(column, marks).length > 0 && (
              <path className={styles.dayChartMark} d={`M${index + 0.5} 0V100`} />
            )}
          </g>
        );
      })}
    </svg>
  );
}

/** Returns a formatter: "21 Nov", or "15 – 21 Nov" for a week. */
function useSpan(): (column: Column) => string {
  const { tag } = useLanguage().language;
  const format = calendarFormat(tag, "day");
  return ({ from, to }) => format.formatRange(new Date(from), new Date(to));
}
