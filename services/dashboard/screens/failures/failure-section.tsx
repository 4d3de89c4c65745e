import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { findCarrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import { Button, buttonClasses } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { WarningMark } from '../../parts/marks.tsx';
import { CorrectPanel } from './correct-panel.tsx';
import { FailureTable } from './failure-table.tsx';
import { actorWords, failureWords, remedyWords } from './failure-words.ts';
import type { FailureGroup } from './group-failures.ts';
import { useRemedy, type Verb } from './use-remedy.ts';

const initialRows = 20;

type Props = { group: FailureGroup; mayWrite: boolean; isFirst: boolean };

/** One reason: what is wrong, who has to act, one button, and the shipments. */
export function FailureSection({ group, mayWrite, isFirst }: Props) {
  const { shipments, state, reason } = group;
  const { title, what, how, actor, remedy } = failureWords(reason);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [isWhole, setWhole] = useState(false);
  const [correcting, setCorrecting] = useState<string[]>([]);
  const { run, status, busy } = useRemedy();
  const ids = shipments.map(({ shipment_id: id }) => id);
  const chosen = ids.filter((id) => selected.has(id));
  const affected = chosen.length > 0 ? chosen : ids;
  const visible = isWhole ? shipments : shipments.slice(0, initialRows);
  const verb: Verb = remedy === 'archive' ? 'archive' : state === 'failed' ? 'resume' : 'refresh';
  const act = () => {
    if (remedy === 'correct') return setCorrecting(affected);
    void run(verb, affected).then(() => setSelected(new Set()));
  };
  return (
    <section aria-label={title}>
      <div className="flex items-start gap-2 border-line border-b bg-sunk px-4 py-2 max-md:flex-wrap">
        {mayWrite && (
          <span className="mt-0.5 mr-0.5">
            <Checkbox
              label={`Select all: ${title}`}
              checked={chosen.length === ids.length}
              indeterminate={chosen.length > 0 && chosen.length < ids.length}
              onChange={(all) => setSelected(new Set(all ? ids : []))}
            />
          </span>
        )}
        <span className="mt-[3px]">
          <WarningMark severity={state === 'failed' || actor === 'you' ? 'critical' : 'warning'} />
        </span>
        <div className="min-w-0 flex-1">
          <h2 className="text-section font-semibold">
            {title}{' '}
            <span className="font-normal text-body text-t3 tabular-nums">{shipments.length.toLocaleString('en')}</span>
            <span className="ml-3 font-normal text-label text-t3 max-md:ml-0 max-md:block">
              <span className="text-t2">{actorWords[actor]}</span> · {carrierWords(group)}
            </span>
          </h2>
          <p className="text-t2">
            {what} {how}
          </p>
        </div>
        {mayWrite && (
          <div className="flex shrink-0 items-center gap-2 self-center max-md:w-full max-md:pl-12">
            {remedy === 'credentials' ? (
              <Link
                to="/configuration/$section"
                params={{ section: 'carriers' }}
                search={onlyCarrier(group)}
                className={buttonClasses()}
              >
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
      {status !== null && (
        <p role="status" className="border-line border-b px-4 py-1.5 text-label text-t2 tabular-nums">
          {status.text}
        </p>
      )}
      <FailureTable
        caption={title}
        shipments={visible}
        isHeadShown={isFirst}
        mayWrite={mayWrite}
        selected={selected}
        setSelected={setSelected}
        correct={remedy === 'correct' || reason === 'carrier_not_found_yet' ? (id) => setCorrecting([id]) : null}
      />
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

const maxNamed = 4;

function carrierWords({ shipments }: FailureGroup): string {
  const counts = [...Map.groupBy(shipments, ({ carrier }) => carrier)].toSorted(
    ([, left], [, right]) => right.length - left.length,
  );
  const named = counts
    .slice(0, maxNamed)
    .map(([code, all]) => `${findCarrier(code)?.name ?? code}${counts.length > 1 ? ` ${all.length}` : ''}`);
  const others = counts.length - named.length;
  return others > 0 ? `${named.join(', ')} and ${others} more` : named.join(', ');
}

function onlyCarrier({ shipments }: FailureGroup): { carrier?: string } {
  const codes = new Set(shipments.map(({ carrier }) => carrier));
  const [code] = codes;
  return codes.size === 1 && code !== undefined ? { carrier: code } : {};
}
