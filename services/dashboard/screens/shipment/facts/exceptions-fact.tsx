import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { groupIdentifier } from '#shared/domain/words/group-identifier.ts';
import type { WireException } from '../../../api/wire.ts';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { Icon } from '../../../parts/icon.tsx';
import { WarningMark } from '../../../parts/status-icons.tsx';
import { dayWords } from '../../../parts/time-words.ts';
import { Fact, FoldedList } from '../fact.tsx';
import { exceptionText } from '../words/exception-words.ts';

/** Open exceptions first, then resolved ones. */
export function ExceptionsFact({ exceptions, containers }: Pick<WireShipment, 'exceptions' | 'containers'>) {
  const now = useNow();
  if (exceptions.length === 0) return null;
  const open = exceptions.filter(({ resolved_at }) => resolved_at === null);
  const resolved = exceptions.filter(({ resolved_at }) => resolved_at !== null);
  const rows = groupExceptions([...open.toReversed(), ...resolved.toReversed()]);
  const aside = [
    open.length > 0 ? `${open.length} open` : '',
    resolved.length > 0 ? `${resolved.length} resolved` : '',
  ];
  return (
    <Fact
      title="Exceptions"
      aside={aside.filter((part) => part !== '').join(', ')}
      value={exceptions.map(({ event_id, resolved_at }) => [event_id, resolved_at])}
    >
      <FoldedList
        max={6}
        noun="exceptions"
        rows={rows}
        row={({ times, ...exception }) => {
          const { code, severity, message, opened_at: opened, resolved_at: ended } = exception;
          const { event_id: eventId, container, piece } = exception;
          return (
            <li key={`${eventId} ${code} ${container}`} className="flex items-start gap-2.5 py-0.5">
              <span className="mt-[3px]">
                {ended === null ? (
                  <WarningMark severity={severity} />
                ) : (
                  <Icon name="check" size={14} className="text-t3" />
                )}
              </span>
              <span
                title={message.length > 120 ? message : undefined}
                className={`line-clamp-4 min-w-0 break-words ${ended === null ? 'text-t1' : 'text-t2'}`}
                dir="auto"
              >
                {exceptionText(exception, now)}
                {times === 1 && container !== null && containers.length > 1 && (
                  <span className="text-t3"> · {groupIdentifier('container', container)}</span>
                )}
                {times === 1 && piece !== null && (
                  <span className="text-t3"> · {groupIdentifier('tracking_number', piece)}</span>
                )}
                {times > 1 && <span className="whitespace-nowrap text-t3"> · {times} times</span>}
                <span className="sr-only">{ended === null ? ` (open, ${severity})` : ' (resolved)'}</span>
              </span>
              <span className="ml-auto whitespace-nowrap pl-2 text-label text-t3 leading-5">
                {ended === null
                  ? `since ${dayWords(opened, null, now)}`
                  : spanOfDays(dayWords(opened, null, now), dayWords(ended, null, now))}
              </span>
            </li>
          );
        }}
      />
    </Fact>
  );
}

function spanOfDays(from: string, to: string): string {
  if (from === to) return from;
  // `25–27 Apr`, where the day stands first.
  const [fromDay = '', fromMonth] = from.split(' ');
  const isShort = /^\d+$/.test(fromDay) && fromMonth === to.split(' ')[1];
  return isShort ? `${fromDay}–${to}` : `${from} – ${to}`;
}

/**
 * Merges the same exception of several containers or pieces on one day. `times` is how often it was reported; the order stays.
 */
export function groupExceptions(exceptions: readonly WireException[]): (WireException & { times: number })[] {
  const groups = new Map<string, WireException & { times: number }>();
  for (const exception of exceptions) {
    const { code, severity, message, opened_at: opened, resolved_at: resolved } = exception;
    const key = JSON.stringify([code, severity, message, opened.slice(0, 10), resolved?.slice(0, 10) ?? null]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { ...exception, times: 1 });
    else group.times += 1;
  }
  return [...groups.values()];
}
