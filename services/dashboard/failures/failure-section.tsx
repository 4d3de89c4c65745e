import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { findCarrier } from '#shared/domain/carrier-catalogue.ts';
import { Button, buttonLook } from '../parts/button.tsx';
import { Checkbox } from '../parts/checkbox.tsx';
import { WarningMark } from '../parts/warning-mark.tsx';
import { CorrectPanel } from './correct-panel.tsx';
import { FailureRow } from './failure-row.tsx';
import { actorWords, failureWords, remedyWords } from './failure-words.ts';
import type { FailureGroup } from './group-failures.ts';
import { useRemedy, type Verb } from './use-remedy.ts';

const firstRows = 20;
const heads = ['Shipment', 'Reference', 'Carrier', 'Since', 'Next try'];

/** One reason: what is wrong, who has to act, one button, and the shipments. */
export function FailureSection({ group, mayWrite }: { group: FailureGroup; mayWrite: boolean }) {
  const { shipments, state, reason } = group;
  const { title, what, how, actor, remedy } = failureWords(reason);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [isWhole, setWhole] = useState(false);
  const [correcting, setCorrecting] = useState<string[]>([]);
  const { run, told, busy } = useRemedy();
  const ids = shipments.map(({ shipment_id: id }) => id);
  const chosen = ids.filter((id) => selected.has(id));
  const affected = chosen.length > 0 ? chosen : ids;
  const visible = isWhole ? shipments : shipments.slice(0, firstRows);
  const verb: Verb = remedy === 'archive' ? 'archive' : state === 'failed' ? 'resume' : 'refresh';
  const act = () => {
    if (remedy === 'correct') return setCorrecting(affected);
    void run(verb, affected).then(() => setSelected(new Set()));
  };
  return (
    <section aria-label={title}>
      <div className="flex items-start gap-3 border-line border-b bg-sunk px-4 py-2.5 max-sm:flex-wrap">
        <span className="mt-[3px]">
          <WarningMark severity={state === 'failed' || actor === 'you' ? 'critical' : 'warning'} />
        </span>
        <div className="min-w-0 flex-1">
          <h2 className="text-section font-semibold">
            {title} <span className="font-normal text-t3 tabular-nums">{shipments.length.toLocaleString('en')}</span>
          </h2>
          <p className="max-w-[92ch] text-t2">
            {what} {how}
          </p>
          <p className="mt-0.5 text-label text-t3">
            <span className="text-t2">{actorWords[actor]}</span> {actor === 'you' ? 'have to act' : 'has to act'} · {carrierWords(group)}
          </p>
        </div>
        {mayWrite && (
          <div className="flex shrink-0 items-center gap-2 max-sm:w-full max-sm:pl-[26px]">
            {remedy === 'credentials' ? (
              <Link to="/configuration/$section" params={{ section: 'carrier-access' }} search={oneCarrier(group)} className={buttonLook()}>
                Set credentials
              </Link>
            ) : (
              <Button busy={busy} onClick={act}>
                {remedyWords(remedy, state)}
                {chosen.length > 0 && ` (${chosen.length.toLocaleString('en')})`}
              </Button>
            )}
          </div>
        )}
      </div>
      {told !== null && (
        <p role="status" className="border-line border-b px-4 py-1.5 text-label text-t2 tabular-nums">
          {told.words}
        </p>
      )}
      <table className="w-full border-collapse text-body max-sm:block">
        <thead className="max-sm:sr-only">
          <tr className="h-8 border-line border-b text-left text-label text-t3">
            <th scope="col" className="w-10 pl-4 text-left font-normal">
              {mayWrite && (
                <Checkbox
                  label={`Choose all: ${title}`}
                  checked={chosen.length === ids.length}
                  indeterminate={chosen.length > 0 && chosen.length < ids.length}
                  onChange={(all) => setSelected(new Set(all ? ids : []))}
                />
              )}
            </th>
            {heads.map((head) => (
              <th key={head} scope="col" className={`pr-3 font-normal ${head === 'Next try' ? 'text-right' : ''}`}>
                {head}
              </th>
            ))}
            <th scope="col" className="w-12">
              <span className="sr-only">Numbers</span>
            </th>
          </tr>
        </thead>
        <tbody className="max-sm:block">
          {visible.map((shipment) => (
            <FailureRow
              key={shipment.shipment_id}
              shipment={shipment}
              mayWrite={mayWrite}
              selected={selected.has(shipment.shipment_id)}
              select={(isSelected) => setSelected(withOne(selected, shipment.shipment_id, isSelected))}
              correct={remedy === 'correct' || reason === 'carrier_not_found_yet' ? () => setCorrecting([shipment.shipment_id]) : null}
            />
          ))}
        </tbody>
      </table>
      {shipments.length > visible.length && (
        <p className="border-line border-b px-4 py-2">
          <Button kind="quiet" onClick={() => setWhole(true)}>
            Show all {shipments.length.toLocaleString('en')}
          </Button>
        </p>
      )}
      <CorrectPanel
        shipment={shipments.find(({ shipment_id: id }) => id === correcting[0]) ?? null}
        left={correcting.length}
        next={() => setCorrecting(correcting.slice(1))}
        close={() => setCorrecting([])}
      />
    </section>
  );
}

function withOne(set: ReadonlySet<string>, id: string, isIn: boolean): ReadonlySet<string> {
  const next = new Set(set);
  if (isIn) next.add(id);
  else next.delete(id);
  return next;
}

const mostNamed = 4;

function carrierWords({ shipments }: FailureGroup): string {
  const counts = [...Map.groupBy(shipments, ({ carrier }) => carrier)].toSorted(([, left], [, right]) => right.length - left.length);
  const named = counts
    .slice(0, mostNamed)
    .map(([code, all]) => `${findCarrier(code)?.name ?? code}${counts.length > 1 ? ` ${all.length}` : ''}`);
  const others = counts.length - named.length;
  return others > 0 ? `${named.join(', ')} and ${others} more` : named.join(', ');
}

function oneCarrier({ shipments }: FailureGroup): { carrier?: string } {
  const codes = new Set(shipments.map(({ carrier }) => carrier));
  const [code] = codes;
  return codes.size === 1 && code !== undefined ? { carrier: code } : {};
}
