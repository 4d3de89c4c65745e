import type { ReactNode } from 'react';
import type { WireShipment } from '#shared/contract/shipments/shipment-schemas.ts';
import { wordOf } from '../../../parts/code-words.ts';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { Identifier } from '../../../parts/identifier.tsx';
import { StatusGlyph, WarningMark } from '../../../parts/marks.tsx';
import { dayWords } from '../../../parts/time-words.ts';
import { detailWords } from '../../../parts/words/detail-words.ts';
import { dimensionWords, weightWords } from '../../../parts/words/measure-words.ts';
import { Fact, FoldedList } from '../fact.tsx';
import { containerType } from './container-type.ts';

const maxShown = 6;

/** A container or a piece: one line with its number, and what is to be said of it below. */
type Unit = {
  kind: 'container' | 'tracking_number';
  number: string;
  status: string;
  /** Beside the number, and at the end of the line. */
  type?: ReactNode;
  aside?: ReactNode;
  /** Below: a problem first. */
  notes: string[];
  isHeld: boolean;
};

/** Each container with its own status: containers of one shipment can be split up. */
export function ContainersFact({
  containers,
  container_status_counts: counts,
}: Pick<WireShipment, 'containers' | 'container_status_counts'>) {
  const now = useNow();
  const units = containers.map(({ number, iso_type: isoType, status, seals, holds, last_free_day: freeDay }) => ({
    kind: 'container' as const,
    number,
    status,
    type: (
      <span className="max-w-[120px] shrink-0 truncate text-t2" title={isoType ?? ''}>
        {containerType(isoType)}
      </span>
    ),
    aside: seals.length > 0 && <Seals seals={seals} />,
    notes: [
      ...activeHolds(holds),
      ...(freeDay.effective === null ? [] : [`free until ${dayWords(freeDay.effective, null, now)}`]),
    ],
    isHeld: activeHolds(holds).length > 0,
  }));
  return <UnitsFact title="Containers" noun="containers" units={units} counts={counts} />;
}

function activeHolds(holds: WireShipment['containers'][number]['holds']): string[] {
  return holds.filter(({ status }) => status === 'active').map(({ type }) => wordOf(`${type}_hold`));
}

/** Each piece with its own status: the pieces of one shipment can be delivered apart. */
export function PiecesFact({
  pieces,
  piece_status_counts: counts,
  pieces_count: all,
}: Pick<WireShipment, 'pieces' | 'piece_status_counts' | 'pieces_count'>) {
  const isMixed = new Set(pieces.map(({ status }) => status)).size > 1;
  const units = pieces.map(
    ({ tracking_number, status, status_detail: detail, weight_kg: kg, dimensions_cm: size }) => ({
      kind: 'tracking_number' as const,
      number: tracking_number,
      status,
      aside: kg !== null && <span className="ml-auto whitespace-nowrap text-t2 tabular-nums">{weightWords(kg)}</span>,
      notes: [
        ...(detail !== null ? [detailWords(detail)] : isMixed ? [wordOf(status)] : []),
        ...(size === null ? [] : [dimensionWords(size)]),
      ],
      isHeld: status === 'failed',
    }),
  );
  const unlisted = Math.max(0, (all ?? 0) - pieces.length);
  return (
    <UnitsFact title="Pieces" noun="pieces" units={units} counts={counts}>
      {unlisted > 0 && (
        <p className="mt-1 text-label text-t3">
          {unlisted.toLocaleString('en-GB')} more {unlisted === 1 ? 'piece is' : 'pieces are'} not listed.
        </p>
      )}
    </UnitsFact>
  );
}

type Props = {
  title: string;
  noun: string;
  units: readonly Unit[];
  counts: Readonly<Record<string, number>>;
  children?: ReactNode;
};

function UnitsFact({ title, noun, units, counts, children }: Props) {
  if (units.length === 0) return null;
  const spread = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${count} ${wordOf(status).toLowerCase()}`);
  return (
    <Fact
      title={title}
      aside={spread.join(', ')}
      value={units.map(({ number, status, notes }) => [number, status, notes])}
    >
      <FoldedList
        rows={units}
        max={maxShown}
        noun={noun}
        row={({ kind, number, status, type, aside, notes, isHeld }) => (
          <li key={number} className="min-h-7 py-1">
            <div className="flex items-center gap-2.5">
              <span title={wordOf(status)} className="inline-flex">
                <StatusGlyph status={status} />
                <span className="sr-only">{wordOf(status)}</span>
              </span>
              <Identifier
                kind={kind}
                value={number}
                className={`text-label ${type === undefined ? '' : 'w-[112px]'}`}
              />
              {type}
              {aside}
            </div>
            {notes.length > 0 && (
              <p className="flex items-center gap-1.5 pl-6 text-label text-t2">
                {isHeld && <WarningMark severity="warning" size={12} />}
                {notes.join(', ')}
              </p>
            )}
          </li>
        )}
      />
      {children}
    </Fact>
  );
}

function Seals({ seals }: { seals: readonly string[] }) {
  return (
    <span className="ml-auto min-w-0 truncate text-label text-t3" title={`Seals ${seals.join(', ')}`}>
      seal <span className="font-mono text-[11.5px] text-t2 tracking-[-0.025em]">{seals[0]}</span>
      {seals.length > 1 && ` +${seals.length - 1}`}
    </span>
  );
}
