import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import type { WireRefresh } from '../../../api/wire.ts';
import { CodeBlock } from '../../../parts/code-block.tsx';
import { ProblemNote } from '../../../parts/page-states.tsx';
import { WarningMark } from '../../../parts/status-icons.tsx';
import { momentWords, zoneWords } from '../../../parts/time-words.ts';
import { numberLocale } from '../../../parts/words/locale.ts';

/** Shows the parts of the carrier's last response that could not be read, the reasons, and the original data. */
export function UnreadableNote({
  shipmentId,
  unreadable,
}: {
  shipmentId: string;
  unreadable: NonNullable<WireRefresh['unreadable']>;
}) {
  const [isOpen, setOpen] = useState(false);
  const { count, reasons } = unreadable;
  return (
    <div className="mt-2 text-label leading-5">
      <p className="flex items-start gap-2">
        <span className="mt-[2px]">
          <WarningMark severity="warning" />
        </span>
        <span className="min-w-0">
          {count === 1
            ? '1 event of the last response'
            : `${count.toLocaleString(numberLocale())} events of the last response`}{' '}
          could not be read: <span dir="auto">{reasons.join('; ')}</span>.
        </span>
      </p>
      <details className="mt-1" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className="cursor-pointer text-t2 hover:text-t1">Original data</summary>
        {isOpen && <OriginalData shipmentId={shipmentId} />}
      </details>
    </div>
  );
}

const maxShown = 20;

function OriginalData({ shipmentId }: { shipmentId: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['unreadable', shipmentId],
    queryFn: ({ signal }) => call('listUnreadableEvents', { params: { shipment_id: shipmentId } }, { signal }),
  });
  if (error !== null) return <ProblemNote error={error} retry={() => refetch()} />;
  if (data === undefined) return <p className="text-t3">Loading…</p>;
  const now = Date.now();
  return (
    <ul className="mt-1 flex flex-col gap-2">
      {data.data.slice(0, maxShown).map(({ reason, seen_at: seenAt, raw }) => {
        const name = `${momentWords(seenAt, { now })} ${zoneWords(seenAt)}: ${reason}`;
        const code = typeof raw === 'string' ? raw : JSON.stringify(raw, null, 2);
        return (
          <li key={`${seenAt} ${code}`} className="min-w-0">
            <CodeBlock name={name} code={code} level={4} />
          </li>
        );
      })}
      {data.data.length > maxShown && (
        <li className="text-t3">{data.data.length - maxShown} more by the API: …/unreadable-events</li>
      )}
    </ul>
  );
}
