/** A placeholder with the height of a line of text, so that nothing moves when the text arrives. */
export function Skeleton({ className = 'w-24' }: { className?: string }) {
  return <span aria-hidden="true" className={`inline-block h-3 rounded-badge bg-hover align-middle ${className}`} />;
}

type Props = {
  rows: number;
  /** One placeholder per entry: the classes that give its width and position. */
  cells: readonly string[];
  /** Height and gap of a row. */
  className?: string;
  /** Announced to screen readers. Absent: the rows are decoration beside something that is announced. */
  label?: string;
};

/** Placeholder rows with the height of the real ones. They fade out downwards, so that they do not look like data. */
export function SkeletonRows({ rows, cells, className = 'h-8 gap-6 border-line border-b px-4', label }: Props) {
  return (
    <div
      className="[mask-image:linear-gradient(to_bottom,black,transparent_85%)]"
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'status', 'aria-label': label })}
    >
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are identical and never move
        <div key={index} className={`flex items-center ${className}`}>
          {cells.map((cell) => (
            <Skeleton key={cell} className={cell} />
          ))}
        </div>
      ))}
    </div>
  );
}
