import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { WireShipment } from '#shared/contract/wire-schemas.ts';
import { Button, IconButton } from '../../../parts/button.tsx';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { Icon, type IconName } from '../../../parts/icon.tsx';
import { Identifier } from '../../../parts/identifier.tsx';
import { ProblemNote } from '../../../parts/page-states.tsx';
import { Skeleton } from '../../../parts/skeleton.tsx';
import { shipmentQuery } from '../../shipment/use-shipment.ts';
import { modeIcons } from '../list-words.ts';
import { carrierName } from '../row-words.ts';
import { mainNumber, type ShipmentRow } from '../shipment-row.ts';
import { PreviewFacts } from './preview-facts.tsx';
import { PreviewFrame } from './preview-frame.tsx';

// It brings the coasts of the world with it.
const PreviewMap = lazy(async () => ({ default: (await import('./preview-map.tsx')).PreviewMap }));

type Props = { id: string; row: ShipmentRow | null; close: () => void };

/** The shipment beside the list: enough to know whether to open it. */
export function PreviewPanel({ id, row, close }: Props) {
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(shipmentQuery(id));
  const shipment = data?.shipment;
  const number = row?.number ?? (shipment && mainNumber(shipment.identifiers));
  const mode: IconName = modeIcons[row?.mode ?? shipment?.transport_mode ?? ''] ?? 'shipments';
  return (
    <PreviewFrame>
      <header className="flex items-center gap-2 px-4 pt-3">
        <Icon name={mode} size={16} className="text-t2" />
        {number !== undefined && (
          <>
            <Identifier kind={number.kind} value={number.value} className="min-w-0 truncate text-body" />
            <CopyButton iconOnly text={number.value} label="Copy the number" />
          </>
        )}
        <Button
          className="ml-auto"
          onClick={() => navigate({ to: '/shipments/$shipmentId', params: { shipmentId: id } })}
        >
          Open
          <span aria-hidden="true" className="text-t3">
            ↵
          </span>
        </Button>
        <IconButton icon="close" size={14} label="Close the preview" onClick={close} />
      </header>
      <p className="truncate border-line border-b px-4 pt-0.5 pb-3 pl-10 text-t2" dir="auto">
        {[
          row?.reference ?? shipment?.reference,
          carrierName(row?.carrier ?? shipment?.carrier ?? ''),
          containersOf(shipment),
        ]
          .filter((part) => part)
          .join(' · ')}
      </p>
      {error !== null && shipment === undefined ? (
        <ProblemNote error={error} retry={refetch} className="p-4" />
      ) : shipment === undefined ? (
        <PreviewSkeleton />
      ) : (
        <>
          <Suspense fallback={<div className="h-[120px] shrink-0 border-line border-b bg-sea" />}>
            <PreviewMap shipment={shipment} />
          </Suspense>
          <PreviewFacts shipment={shipment} />
        </>
      )}
    </PreviewFrame>
  );
}

function containersOf(shipment: WireShipment | undefined): string | null {
  const count = shipment?.containers.length ?? 0;
  return count === 0 ? null : count === 1 ? '1 container' : `${count} containers`;
}

function PreviewSkeleton() {
  return (
    <div className="flex flex-col gap-4 p-4">
      {['w-40', 'w-56', 'w-48', 'w-52', 'w-44'].map((width) => (
        <Skeleton key={width} className={width} />
      ))}
    </div>
  );
}
