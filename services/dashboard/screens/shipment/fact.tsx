import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';

/** One part of the facts column, under a hairline; glows when what it shows changes. */
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

/** A list of which the first ones are shown, and all of them on demand (and in print). */
export function FoldedList<Item>({
  rows,
  most,
  noun,
  row,
}: {
  rows: readonly Item[];
  most: number;
  noun: string;
  row: (item: Item) => ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  const isFolded = rows.length > most + 1;
  const shown = isFolded && !isOpen ? rows.slice(0, most) : rows;
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
          {isOpen ? `Show ${most} ${noun}` : `Show all ${rows.length} ${noun}`}
        </button>
      )}
    </>
  );
}

const glow = 'animate-changed';

/** Glows once when the value differs from the one before; never at first. */
export function useGlow<Of extends HTMLElement>(value: unknown): RefObject<Of | null> {
  const ref = useRef<Of>(null);
  const seen = useRef(JSON.stringify(value));
  const text = JSON.stringify(value);
  useEffect(() => {
    if (seen.current === text) return;
    seen.current = text;
    const element = ref.current;
    element?.classList.remove(glow);
    // Asking for the width ends the animation that may still run, so that it begins anew.
    void element?.offsetWidth;
    element?.classList.add(glow);
  }, [text]);
  return ref;
}
