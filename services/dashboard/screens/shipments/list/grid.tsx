import type { HTMLAttributes } from 'react';

/** A row of a virtual grid; table elements cannot be virtual. `index` counts from 1 and includes the head. */
export function GridRow({
  index,
  tabIndex = -1,
  ...rest
}: HTMLAttributes<HTMLDivElement> & { index: number; [data: `data-${string}`]: unknown }) {
  // biome-ignore lint/a11y/useSemanticElements: a tr requires a table
  return <div role="row" aria-rowindex={index} tabIndex={tabIndex} {...rest} />;
}

/** A cell of a `GridRow`, or the head of a column. */
export function GridCell({ isHead = false, ...rest }: HTMLAttributes<HTMLDivElement> & { isHead?: boolean }) {
  // biome-ignore lint/a11y/useSemanticElements: a td requires a table
  // biome-ignore lint/a11y/useFocusableInteractive: the row takes the focus
  return isHead ? <div role="columnheader" {...rest} /> : <div role="gridcell" {...rest} />;
}
