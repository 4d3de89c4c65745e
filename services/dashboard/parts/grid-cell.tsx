import type { HTMLAttributes } from 'react';

/** A cell of a `GridRow`, or the head of a column. The row is what takes the focus. */
export function GridCell({ isHead = false, ...rest }: HTMLAttributes<HTMLDivElement> & { isHead?: boolean }) {
  // biome-ignore lint/a11y/useSemanticElements: a td belongs to a table.
  // biome-ignore lint/a11y/useFocusableInteractive: the row is what takes the focus.
  return isHead ? <div role="columnheader" {...rest} /> : <div role="gridcell" {...rest} />;
}
