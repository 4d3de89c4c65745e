import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';

/** One section of the facts column. It glows when `value` changes. */
export function Fact({
  title,
  aside,
  value,
  children,
}: {
  title: string;
  aside?: ReactNode;
  value: unknown;
  children: ReactNode;
}) {
  const id = useId();
  const ref = useGlow<HTMLElement>(value);
  return (
    <section
      ref={ref}
      aria-labelledby={id}
      className="border-line border-b px-4 py-3 [overflow-wrap:anywhere] last:border-b-0 print:break-inside-avoid"
    >
      <div className="mb-1.5 flex items-baseline justify-between gap-3">
        <h2 id={id} className="text-label text-t3">
          {title}
        </h2>
        {aside !== undefined && <span className="text-label text-t2 tabular-nums">{aside}</span>}
      </div>
      {children}
    </section>
  );
}

/** A list that shows its first `max` rows, and all of them on demand. */
export function FoldedList<Item>({
  rows,
  max,
  noun,
  row,
}: {
  rows: readonly Item[];
  max: number;
  noun: string;
  row: (item: Item) => ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  const isFolded = rows.length > max + 1;
  const shown = isFolded && !isOpen ? rows.slice(0, max) : rows;
  return (
    <>
      <ul>{shown.map(row)}</ul>
      {isFolded && (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="mt-1 rounded-badge text-accent text-label hover:underline"
        >
          {isOpen ? `Show ${max} ${noun}` : `Show all ${rows.length} ${noun}`}
        </button>
      )}
    </>
  );
}

const glow = 'animate-changed';

/** Glows once when the value changes, not on the first render. */
export function useGlow<Of extends HTMLElement>(value: unknown): RefObject<Of | null> {
  const ref = useRef<Of>(null);
  const seen = useRef(JSON.stringify(value));
  const text = JSON.stringify(value);
  useEffect(() => {
    if (seen.current === text) return;
    seen.current = text;
    const element = ref.current;
    element?.classList.remove(glow);
    // Reading the width forces a layout, which restarts an animation that is still running.
    void element?.offsetWidth;
    element?.classList.add(glow);
  }, [text]);
  return ref;
}
