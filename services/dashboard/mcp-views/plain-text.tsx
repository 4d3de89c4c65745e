import { Button } from '../parts/button.tsx';
import { wordOf } from '../parts/words/code-words.ts';

/** Explains why a result is shown as text. */
export function PlainNote() {
  return (
    <p className="border-line border-b bg-sunk px-4 py-2 text-label text-t2">
      This view has only the text of the answer, so it is shown as text.
    </p>
  );
}

type RowsProps = {
  caption: string;
  rows: readonly { shipment_id: string }[];
  /** Null: rows can't be opened. */
  open: ((id: string) => void) | null;
};

/** Rows of a result with the texts that they have. */
export function PlainRows({ caption, rows, open }: RowsProps) {
  return (
    <ul aria-label={caption}>
      {rows.map((row) => (
        <li key={row.shipment_id} className="flex items-start gap-3 border-line border-b px-4 py-2">
          <div className="min-w-0 flex-1">
            <PlainValue value={row} />
          </div>
          {open !== null && (
            <Button aria-label={`Open ${row.shipment_id}`} onClick={() => open(row.shipment_id)}>
              Open
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** A value of a result as it is: fields with their names, items of a list below each other. */
export function PlainValue({ value }: { value: unknown }) {
  if (value === null || typeof value !== 'object') return <bdi className="break-words">{String(value)}</bdi>;
  if (Array.isArray(value))
    return (
      <ul className="flex flex-col gap-1">
        {value.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a result does not change
          <li key={index}>
            <PlainValue value={item} />
          </li>
        ))}
      </ul>
    );
  return (
    <dl className="flex flex-col gap-0.5">
      {Object.entries(value).map(([name, part]) =>
        part === undefined ? null : (
          <div key={name} className="grid grid-cols-[minmax(0,120px)_minmax(0,1fr)] gap-3">
            <dt className="break-words text-label text-t3">
              <bdi>{wordOf(name)}</bdi>
            </dt>
            <dd className="min-w-0">
              <PlainValue value={part} />
            </dd>
          </div>
        ),
      )}
    </dl>
  );
}
