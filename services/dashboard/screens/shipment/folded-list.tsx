import { type ReactNode, useState } from 'react';

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
