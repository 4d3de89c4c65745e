import type { WaterfallRow } from './waterfall-rows.ts';

/** What a key does in the tree of spans. */
export type KeyAct = { act: 'move'; to: number } | { act: 'fold' } | { act: 'open' };

/** As in every tree: up and down move, right opens or steps in, left closes or steps out. Null: the key is not the tree's. */
export function actOfKey(
  key: string,
  rows: readonly WaterfallRow[],
  { at, isClosed }: { at: number; isClosed: boolean },
): KeyAct | null {
  const row = rows[at];
  if (row === undefined) return null;
  const move = (to: number): KeyAct => ({ act: 'move', to: Math.min(Math.max(to, 0), rows.length - 1) });
  const hasChildren = row.children > 0;
  switch (key) {
    case 'ArrowDown':
      return move(at + 1);
    case 'ArrowUp':
      return move(at - 1);
    case 'Home':
      return move(0);
    case 'End':
      return move(rows.length - 1);
    case 'ArrowRight':
      return hasChildren && isClosed ? { act: 'fold' } : move(hasChildren ? at + 1 : at);
    case 'ArrowLeft':
      return hasChildren && !isClosed ? { act: 'fold' } : move(parentOf(rows, at));
    case 'Enter':
    case ' ':
      return { act: 'open' };
    default:
      return null;
  }
}

function parentOf(rows: readonly WaterfallRow[], at: number): number {
  const depth = rows[at]?.span.depth ?? 0;
  const found = rows.findLastIndex(({ span }, index) => index < at && span.depth < depth);
  return found < 0 ? at : found;
}
