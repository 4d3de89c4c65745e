import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { StatusGlyph } from '../../../parts/status-icons.tsx';
import { dayWords, momentWords, zoneWords } from '../../../parts/time-words.ts';
import { wordOf } from '../../../parts/words/code-words.ts';
import { useGlow } from '../fact.tsx';
import { detailSentence } from '../words/delivery-words.ts';
import { statusReason } from '../words/status-reason.ts';

/** The status, its detail, and the event that determines it. */
export function StatusFact({ shipment }: { shipment: WireShipment }) {
  const now = useNow();
  const { status, status_changed_at: since } = shipment;
  const detail = detailSentence(shipment, now);
  const ref = useGlow<HTMLElement>([status, shipment.status_detail]);
  return (
    <section ref={ref} aria-label="Status" className="border-line border-b px-4 pt-4 pb-3">
      <div className="flex items-center gap-2.5">
        <StatusGlyph status={status} size={18} />
        <h2 className="font-semibold text-headline tracking-[-0.015em]">{wordOf(status)}</h2>
        {since !== null && (
          <time
            dateTime={since}
            title={`${momentWords(since, { now })} ${zoneWords(since)}`}
            className="ml-auto whitespace-nowrap text-label text-t3"
          >
            since {dayWords(since, null, now)}
          </time>
        )}
      </div>
      {detail !== null && <p className="mt-1 text-body [overflow-wrap:anywhere]">{detail}</p>}
      <p className="mt-1 text-body text-t2 [overflow-wrap:anywhere]">{statusReason(shipment, now)}</p>
      {shipment.warnings.map(({ field, detail }) => (
        <p key={`${field} ${detail}`} className="mt-1 text-label text-amber [overflow-wrap:anywhere]">
          {detail}
        </p>
      ))}
    </section>
  );
}
