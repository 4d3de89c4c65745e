import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Suspense } from 'react';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { leadingIdentifier } from '#shared/domain/words/group-identifier.ts';
import { Button } from '../../../parts/button.tsx';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { Panel } from '../../../parts/dialogs/panel.tsx';
import { Icon, modeIcons } from '../../../parts/icon.tsx';
import { Identifier } from '../../../parts/identifier.tsx';
import { useLand } from '../../../parts/land.ts';
import { lazyPart } from '../../../parts/lazy-parts.tsx';
import { ProblemNote } from '../../../parts/page-states.tsx';
import { SkeletonRows } from '../../../parts/skeleton.tsx';
import { loadWords } from '../../../parts/words/measure-words.ts';
import { shipmentQuery } from '../../shipment/use-shipment.ts';
import { carrierName } from '../row-words.ts';
import type { ShipmentRow } from '../shipment-row.ts';
import { PreviewFacts } from './preview-facts.tsx';

// Loaded separately because it contains the coastlines.
const RoutePreview = lazyPart(async () => (await import('../../shipment/route/located-route.tsx')).LocatedPreview);

type Props = { id: string; row: ShipmentRow | null; close: () => void };

/** The most important facts of a shipment beside the list. */
export function PreviewPanel({ id, row, close }: Props) {
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(shipmentQuery(id));
  const land = useLand();
  const shipment = data?.shipment;
  const number = row?.number ?? (shipment && leadingIdentifier(shipment.identifiers));
  return (
    <Panel
      kind="preview"
      narrow="covers the list"
      label="Preview"
      close={close}
      mark={
        <Icon
          name={modeIcons[row?.mode ?? shipment?.transport_mode ?? ''] ?? 'shipments'}
          size={16}
          className="shrink-0 text-t2"
        />
      }
      title={number && <Identifier kind={number.kind} value={number.value} className="text-body" />}
      actions={
        <>
          {number && <CopyButton iconOnly text={number.value} label="Copy number" />}
          <Button onClick={() => navigate({ to: '/shipments/$shipmentId', params: { shipmentId: id } })}>
            Open
            <span aria-hidden="true" className="text-t3">
              ↵
            </span>
          </Button>
        </>
      }
    >
      <p className="truncate border-line border-b px-4 py-2 text-t2" dir="auto">
        {[
          row?.reference ?? shipment?.reference,
          carrierName(row?.carrier ?? shipment?.carrier ?? ''),
          containersText(shipment),
          shipment && loadWords(shipment),
        ]
          .filter((part) => part)
          .join(' · ')}
      </p>
      {error !== null && shipment === undefined ? (
        <ProblemNote error={error} retry={refetch} className="p-4" />
      ) : shipment === undefined ? (
        <SkeletonRows rows={5} cells={['w-40', 'w-16']} className="h-9 gap-4 px-4" label="Loading shipment" />
      ) : (
        <>
          <Suspense fallback={<div className="h-[120px] border-line border-b bg-sea" />}>
            <RoutePreview shipment={shipment} land={land} />
          </Suspense>
          <PreviewFacts shipment={shipment} />
        </>
      )}
    </Panel>
  );
}

function containersText(shipment: WireShipment | undefined): string | null {
  const count = shipment?.containers.length ?? 0;
  return count === 0 ? null : count === 1 ? '1 container' : `${count} containers`;
}
