import { memo, type ReactNode } from 'react';
import { ErrorState, ProblemNote } from './page-states.tsx';
import { Skeleton } from './skeleton.tsx';

/** The head of a column. `className` applies to the head and to every cell: width, alignment, where it is hidden. */
export type ColumnHead = {
  key: string;
  name: ReactNode;
  className?: string;
  /** The name is for screen readers only. */
  isNameHidden?: boolean;
  headTitle?: string;
};

export type Column<Row> = ColumnHead & {
  cell: (row: Row, index: number) => ReactNode;
  cellClassName?: string | ((row: Row) => string);
  cellTitle?: (row: Row) => string | undefined;
  /** The cell names its row. */
  isRowHeader?: boolean;
  /** The cell covers this many columns of its row, and so takes no classes of its column. */
  span?: (row: Row) => number;
  /** Width of the placeholder while the rows load. */
  skeleton?: string;
};

export type RowGroup<Row> = { key: string; title: ReactNode; rows: readonly Row[] };

type Props<Row> = {
  caption: string;
  columns: readonly Column<Row>[];
  /** Undefined while the rows load. */
  rows: readonly Row[] | undefined;
  /** The same rows under headings. */
  groups?: readonly RowGroup<Row>[];
  rowKey: (row: Row, index: number) => string;
  rowClassName?: (row: Row) => string;
  isSelected?: (row: Row) => boolean;
  /** A click anywhere in the row. The keyboard needs a button or a link in a cell. */
  open?: (row: Row) => void;
  head?: 'shown' | 'sticky' | 'hidden';
  /** Below the `md` breakpoint: the same, without the head (columns hide themselves), or each row as a small grid. */
  narrow?: 'same' | 'headless' | 'stacked';
  /** Inside a padded section: small text, no lines, no cell padding. */
  inset?: boolean;
  /** Column widths come from the columns, not from the content; `always`: below the `md` breakpoint too. */
  isFixed?: boolean | 'always';
  skeletonRows?: number;
  error?: unknown;
  retry?: () => void;
  /** Shown instead of the table when there are no rows. */
  empty?: ReactNode;
};

/** Every table of the dashboard: head, rows or groups of rows, and the loading, error and empty states. */
export function Table<Row>(props: Props<Row>) {
  const { caption, columns, rows, groups, head = 'shown', narrow = 'same', isFixed = false, error, retry } = props;
  const { inset = false } = props;
  if (rows === undefined && error != null) {
    return inset ? (
      <ProblemNote error={error} retry={retry} className="mt-2" />
    ) : (
      <ErrorState error={error} retry={retry} />
    );
  }
  if (rows?.length === 0 && props.empty !== undefined) return props.empty;
  const layout: Layout = inset ? 'inset' : narrow === 'stacked' ? 'stacked' : 'plain';
  return (
    <>
      {error != null && <ProblemNote error={error} retry={retry} className="border-line border-b px-4 py-2.5" />}
      {rows === undefined && <p role="status" aria-label={`Loading: ${caption}`} className="sr-only" />}
      <table
        aria-busy={rows === undefined}
        className={`w-full border-collapse ${inset ? 'text-label tabular-nums' : 'text-body'} ${layout === 'stacked' ? 'max-md:block' : ''} ${isFixed ? (inset || isFixed === 'always' ? 'table-fixed' : 'md:table-fixed') : ''}`}
      >
        <caption className="sr-only">{caption}</caption>
        {/* A head for screen readers only does not give the columns their width. */}
        {isFixed && (
          <colgroup>
            {columns.map(({ key, className }) => (
              <col key={key} className={className} />
            ))}
          </colgroup>
        )}
        <thead className={headClasses(head, narrow)}>
          <tr className="h-8 border-line border-b text-left text-label text-t3">
            {columns.map(({ key, name, className = '', isNameHidden, headTitle }) => (
              <th
                key={key}
                scope="col"
                title={headTitle}
                className={`whitespace-nowrap font-normal ${cellPadding[layout]} ${className}`}
              >
                {isNameHidden ? <span className="sr-only">{name}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        {rows === undefined ? (
          <SkeletonBody columns={columns} layout={layout} rows={props.skeletonRows ?? 6} />
        ) : groups === undefined ? (
          <Body {...props} layout={layout} rows={rows} />
        ) : (
          groups.map((group) => (
            <Body key={group.key} {...props} layout={layout} rows={group.rows} title={group.title} />
          ))
        )}
      </table>
    </>
  );
}

type Layout = 'plain' | 'stacked' | 'inset';

function Body<Row>(props: Props<Row> & { layout: Layout; rows: readonly Row[]; title?: ReactNode }) {
  const { layout, columns, rows, title, rowKey, rowClassName, isSelected, open } = props;
  const isStacked = layout === 'stacked';
  return (
    <tbody className={isStacked ? 'max-md:block' : ''}>
      {title !== undefined && (
        <tr className={`h-8 border-line border-b bg-sunk ${isStacked ? 'max-md:flex max-md:items-center' : ''}`}>
          <th scope="rowgroup" colSpan={columns.length} className="px-4 text-left font-normal text-label text-t3">
            {title}
          </th>
        </tr>
      )}
      {rows.map((row, index) => (
        <TableRow
          key={rowKey(row, index)}
          row={row}
          index={index}
          columns={columns}
          layout={layout}
          isSelected={isSelected?.(row) ?? false}
          className={rowClassName?.(row) ?? 'h-8'}
          {...(open === undefined ? {} : { open })}
        />
      ))}
    </tbody>
  );
}

type RowProps<Row> = Pick<Props<Row>, 'columns' | 'open'> & {
  row: Row;
  index: number;
  layout: Layout;
  isSelected: boolean;
  className: string;
};

// Tables of a thousand rows change a few rows at a time.
const TableRow = memo(function TableRow<Row>(props: RowProps<Row>) {
  const { row, index, columns, layout, isSelected, className, open } = props;
  const ground =
    layout === 'inset' ? '' : isSelected ? 'bg-sel [box-shadow:inset_2px_0_0_var(--accent)]' : 'hover:bg-hover';
  const cells: ReactNode[] = [];
  for (let at = 0; at < columns.length; ) {
    const column = columns[at] as Column<Row>;
    const span = column.span?.(row) ?? 1;
    const { cellClassName = '' } = column;
    const Cell = column.isRowHeader ? 'th' : 'td';
    cells.push(
      <Cell
        key={column.key}
        {...(column.isRowHeader ? { scope: 'row' } : {})}
        {...(span > 1 ? { colSpan: span } : {})}
        title={column.cellTitle?.(row)}
        className={`${column.isRowHeader ? 'text-left font-normal' : ''} ${cellPadding[layout]} ${span > 1 ? '' : (column.className ?? '')} ${typeof cellClassName === 'string' ? cellClassName : cellClassName(row)}`}
      >
        {column.cell(row, index)}
      </Cell>,
    );
    at += span;
  }
  return (
    <tr
      className={`relative ${layout === 'inset' ? '' : 'border-line border-b'} ${className} ${layout === 'stacked' ? 'max-md:grid max-md:h-auto max-md:px-4 max-md:py-2.5' : ''} ${ground}`}
      {...(open === undefined ? {} : { onClick: () => open(row) })}
    >
      {cells}
    </tr>
  );
}) as <Row>(props: RowProps<Row>) => ReactNode;

function SkeletonBody<Row>({ columns, layout, rows }: Pick<Props<Row>, 'columns'> & { layout: Layout; rows: number }) {
  const isStacked = layout === 'stacked';
  return (
    <tbody aria-hidden="true" className={isStacked ? 'max-md:block' : ''}>
      {Array.from({ length: rows }, (_, index) => (
        <tr
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are identical and never move
          key={index}
          className={`${layout === 'inset' ? 'h-6' : 'h-8 border-line border-b'} ${isStacked ? 'max-md:flex max-md:h-[61px] max-md:items-center max-md:px-4' : layout === 'plain' ? 'max-md:h-14' : ''}`}
        >
          {columns.map(({ key, className = '', skeleton = 'w-16' }, at) => (
            <td
              key={key}
              className={`${cellPadding[layout]} ${className} ${isStacked && at > 0 ? 'max-md:hidden' : ''}`}
            >
              <Skeleton className={skeleton} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}

function headClasses(head: NonNullable<Props<never>['head']>, narrow: NonNullable<Props<never>['narrow']>): string {
  if (head === 'hidden') return 'sr-only';
  return `${head === 'sticky' ? 'sticky top-0 z-10 bg-bg' : ''} ${narrow === 'same' ? '' : 'max-md:sr-only'}`;
}

const cellPadding: Record<Layout, string> = {
  plain: 'px-2 first:pl-4 last:pr-4',
  stacked: 'md:px-2 md:first:pl-4 md:last:pr-4',
  inset: '',
};
