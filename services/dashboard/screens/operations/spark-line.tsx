const width = 112;
const height = 28;

/** A line of what was seen so far, its newest point as a dot. An ornament beside the number it belongs to. */
export function SparkLine({ values, colour }: { values: readonly number[]; colour: 'plain' | 'amber' | 'red' }) {
  const most = Math.max(...values, Number.MIN_VALUE);
  const point = (value: number, index: number) =>
    [(index / Math.max(values.length - 1, 1)) * (width - 6) + 1, height - 4 - (value / most) * (height - 8)] as const;
  const points = values.map(point);
  const [x, y] =
    values.length === 1 ? [width - 5, points[0]?.[1] ?? height - 4] : (points.at(-1) ?? [width - 5, height - 4]);
  const classNames = { plain: 'text-t2', amber: 'text-amber', red: 'text-red' };
  return (
    <svg
      aria-hidden="true"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className={`min-w-0 max-w-28 max-sm:hidden ${classNames[colour]}`}
    >
      <path d={`M0 ${height - 0.5}H${width}`} stroke="var(--line)" />
      {points.length > 1 && (
        <path
          d={`M${points.map((each) => each.map((part) => part.toFixed(1)).join(' ')).join('L')}`}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.2"
          strokeLinejoin="round"
        />
      )}
      <circle cx={x} cy={y} r="2" fill="currentColor" />
    </svg>
  );
}
