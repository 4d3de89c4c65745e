import type { HTMLAttributes } from 'react';

/** A row of a grid that holds only the rows in sight, as no table can; `index` counts from 1, its head included. Gets the focus from its grid. */
export function GridRow({
  index,
  tabIndex = -1,
  ...rest
}: HTMLAttributes<HTMLDivElement> & { index: number; [data: `data-${string}`]: unknown }) {
  // biome-ignore lint/a11y/useSemanticElements: a tr belongs to a table.
  return <div role="row" aria-rowindex={index} tabIndex={tabIndex} {...rest} />;
}

/** A cell of a `GridRow`, or the head of a column. The row is what takes the focus. */
export function GridCell({ isHead = false, ...rest }: HTMLAttributes<HTMLDivElement> & { isHead?: boolean }) {
  // biome-ignore lint/a11y/useSemanticElements: a td belongs to a table.
  // biome-ignore lint/a11y/useFocusableInteractive: the row is what takes the focus.
  return isHead ? <div role="columnheader" {...rest} /> : <div role="gridcell" {...rest} />;
}
