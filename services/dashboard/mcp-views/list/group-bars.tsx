import type { ResultGroup } from '#shared/contract/mcp/list-result.ts';
import { wordOf } from '../../parts/words/code-words.ts';
import { carrierName } from '../../screens/shipments/row-words.ts';

type Props = { groups: readonly ResultGroup[]; by: string };

/** Counts by a field, as bars. */
export function GroupBars({ groups, by }: Props) {
  const most = Math.max(1, ...groups.map(({ count }) => count));
  return (
    <section aria-label={`Shipments by ${by.replaceAll('_', ' ')}`} className="border-line border-b px-4 py-3">
      <h2 className="mb-1.5 text-label text-t3">By {by.replaceAll('_', ' ')}</h2>
      <ul className="flex flex-col gap-1">
        {groups.map(({ name, count }) => (
          <li key={name} className="grid grid-cols-[minmax(0,min(40%,200px))_minmax(0,1fr)_auto] items-center gap-3">
            <span className="truncate" title={name} dir="auto">
              {groupWords(name, by)}
            </span>
            <span aria-hidden="true" className="h-2 min-w-0 bg-line">
              <span className="block h-full bg-accent" style={{ width: `${Math.max(1, (count / most) * 100)}%` }} />
            </span>
            <span className="text-right tabular-nums">{count.toLocaleString('en')}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function groupWords(name: string, by: string): string {
  if (by === 'carrier') return carrierName(name);
  return /^[a-z][a-z_]*$/.test(name) && by !== 'tag' ? wordOf(name) : name;
}
