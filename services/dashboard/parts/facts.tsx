import type { ReactNode } from 'react';
import { keepUnits } from './words/measure-words.ts';

/** Values by name, in the order in which they are shown; null leaves a name out. */
export type FactRows = Readonly<Record<string, ReactNode>>;

type Props = {
  rows: FactRows;
  /** Width of the names. */
  columns?: string;
  className?: string;
};

/** Names and values in two columns. Long names are truncated, values wrap, but not between a number and its unit. */
export function Facts({ rows, columns = 'grid-cols-[104px_minmax(0,1fr)]', className = 'gap-y-1' }: Props) {
  return (
    <dl className={`grid ${columns} ${className}`}>
      {Object.entries(rows).map(
        ([name, value]) =>
          value !== null && (
            <div key={name} className="contents">
              <dt className="truncate text-t3" title={name} dir="auto">
                {name}
              </dt>
              <dd className="min-w-0 break-words text-left" dir="auto">
                {typeof value === 'string' ? keepUnits(value) : value}
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}
