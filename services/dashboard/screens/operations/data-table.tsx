import { Fragment, type ReactNode } from 'react';

export type Column<Row> = {
  name: string;
  /** For the head and every cell. */
  className?: string;
  /** Its cells name their rows. */
  isRowHead?: boolean;
  cell: (row: Row) => ReactNode;
};

export function DataTable<Row>({
  caption,
  columns,
  rows,
  keyOf,
  rowClass,
  below,
  isFixed = false,
}: {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  rowClass?: (row: Row) => string;
  below?: (row: Row) => ReactNode;
  isFixed?: boolean;
}) {
  return (
    <table className={`w-full border-collapse text-body ${isFixed ? 'table-fixed' : ''}`}>
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr className="h-8 border-line border-b text-left text-label text-t3">
          {columns.map(({ name, className = '' }) => (
            <th key={name} scope="col" className={`px-2 font-normal first:pl-4 last:pr-4 ${className}`}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const more = below?.(row) ?? null;
          return (
            <Fragment key={keyOf(row)}>
              <tr className={`h-8 border-line border-b ${rowClass?.(row) ?? 'hover:bg-hover'}`}>
                {columns.map(({ name, className = '', isRowHead = false, cell }) => {
                  const Cell = isRowHead ? 'th' : 'td';
                  return (
                    <Cell
                      key={name}
                      {...(isRowHead ? { scope: 'row' } : {})}
                      className={`px-2 font-normal first:pl-4 last:pr-4 ${isRowHead ? 'text-left' : ''} ${className}`}
                    >
                      {cell(row)}
                    </Cell>
                  );
                })}
              </tr>
              {more !== null && (
                <tr className="border-line border-b bg-sunk">
                  <td colSpan={columns.length} className="px-4 py-2">
                    {more}
                  </td>
                </tr>
              )}
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}
