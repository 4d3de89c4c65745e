import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, Suspense, useState } from 'react';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { groupIdentifier, leadingIdentifier } from '#shared/domain/words/group-identifier.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { copyAndFlash, flash } from '../../parts/flash-note.tsx';
import { useScreenKeys } from '../../parts/hooks/use-screen-keys.ts';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { Identifier } from '../../parts/identifier.tsx';
import { lazyPart } from '../../parts/lazy-parts.tsx';
import { numberLocale } from '../../parts/words/locale.ts';
import { loadWords } from '../../parts/words/measure-words.ts';
import { useAccount } from '../session/use-session.ts';
import { walkFrom } from './list-walk.ts';
import { SharePanel } from './sharing/share-panel.tsx';
import { EditPanel } from './verbs/edit-panel.tsx';
import { MoreMenu } from './verbs/more-menu.tsx';
import { RequestRefresh } from './verbs/request-refresh.tsx';
import { VerbDialog } from './verbs/verb-dialog.tsx';
import { isPushed } from './words/pushed-words.ts';

const AlertPanel = lazyPart(async () => (await import('../alerts/alert-panel.tsx')).AlertPanel);

const modes: Record<string, IconName> = { ocean: 'ocean', air: 'air', road: 'road', rail: 'rail', parcel: 'parcel' };
const owners = ['consignee', 'customer', 'buyer', 'receiver', 'consignor', 'shipper'];

/** The identity of the shipment, and its actions. */
export function ShipmentHead({ shipment }: { shipment: WireShipment }) {
  const [editing, setEditing] = useState<'all' | 'tags' | null>(null);
  const [isArchiving, setArchiving] = useState(false);
  const [isAlerting, setAlerting] = useState(false);
  const [isSharing, setSharing] = useState(false);
  const isViewer = useAccount().role === 'viewer';
  const lead = leadingIdentifier(shipment.identifiers);
  const service = shipment.service?.name ?? shipment.service?.code ?? null;
  const load = loadWords(shipment);
  const write = (run: () => void) => () => (isViewer ? flash('You have view-only access to this account.') : run());
  useScreenKeys({
    e: write(() => setEditing('all')),
    t: write(() => setEditing('tags')),
    a: write(() => setArchiving(true)),
    c: () =>
      void copyAndFlash(
        lead?.value ?? shipment.shipment_id,
        `Copied ${lead === null ? shipment.shipment_id : groupIdentifier(lead.kind, lead.value)}`,
      ),
  });
  const owner = owners.map((key) => shipment.metadata[key]).find((value) => value !== undefined && value !== '');
  return (
    <header className="flex min-h-[52px] flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-4 py-2">
      <Link to="/" className="text-body text-t2 hover:text-t1 hover:underline max-sm:hidden print:hidden">
        Shipments
      </Link>
      <span aria-hidden="true" className="text-t4 max-sm:hidden print:hidden">
        /
      </span>
      <h1 className="flex min-w-0 items-center gap-2">
        <span title={shipment.transport_mode} className="inline-flex text-t2">
          <Icon name={modes[shipment.transport_mode] ?? 'shipments'} />
          <span className="sr-only">{shipment.transport_mode} shipment </span>
        </span>
        {lead === null ? (
          <span className="font-mono">{shipment.shipment_id}</span>
        ) : (
          <Identifier
            kind={lead.kind}
            value={lead.value}
            className="min-w-0 overflow-x-auto text-title tracking-[-0.02em]"
          />
        )}
      </h1>
      <span className="-ml-2 print:hidden">
        <CopyButton iconOnly text={lead?.value ?? shipment.shipment_id} label="Copy number" />
      </span>
      <p className="flex min-w-0 items-center text-body text-t2 max-sm:w-full max-sm:flex-wrap">
        {shipment.reference !== null && <Part>{shipment.references.join(', ')}</Part>}
        <Part>{shipment.carrier_name}</Part>
        {service !== null && <Part>{service}</Part>}
        {load !== null && <Part>{load}</Part>}
        {owner !== undefined && <Part>{owner}</Part>}
        {shipment.test && <Part>Test</Part>}
      </p>
      <div className="ml-auto flex items-center gap-2 max-sm:ml-0 max-sm:w-full max-sm:flex-wrap max-sm:gap-1.5 print:hidden">
        <Neighbours shipmentId={shipment.shipment_id} />
        {!isPushed(shipment) && <RequestRefresh shipment={shipment} />}
        <Button
          disabled={isViewer}
          title={isViewer ? 'You have view-only access to this account' : undefined}
          aria-keyshortcuts="e"
          onClick={() => setEditing('all')}
        >
          Edit
        </Button>
        <Button onClick={() => setAlerting(true)}>
          <Icon name="bell" size={14} className="max-sm:hidden" />
          Alert me
        </Button>
        <Button
          disabled={isViewer}
          title={isViewer ? 'You have view-only access to this account' : undefined}
          onClick={() => setSharing(true)}
        >
          Share
        </Button>
        <MoreMenu shipment={shipment} />
      </div>
      {isAlerting && (
        <Suspense fallback={null}>
          <AlertPanel
            subject={{ kind: 'shipment', id: shipment.shipment_id, name: lead?.value ?? shipment.shipment_id }}
            close={() => setAlerting(false)}
          />
        </Suspense>
      )}
      {isSharing && <SharePanel shipment={shipment} close={() => setSharing(false)} />}
      {editing !== null && <EditPanel shipment={shipment} startsWith={editing} close={() => setEditing(null)} />}
      {isArchiving && (
        <VerbDialog
          verb={shipment.archived_at === null ? 'archive' : 'restore'}
          shipment={shipment}
          close={() => setArchiving(false)}
        />
      )}
    </header>
  );
}

function Part({ children }: { children: ReactNode }) {
  return (
    <>
      <span aria-hidden="true" className="px-2 text-t4 first:hidden">
        ·
      </span>
      <bdi className="min-w-0 max-w-full truncate max-sm:shrink-0">{children}</bdi>
    </>
  );
}

/** The previous and the next shipment of the list it was opened from, with the keys `k` and `j`. */
function Neighbours({ shipmentId }: { shipmentId: string }) {
  const navigate = useNavigate();
  const walk = walkFrom(shipmentId);
  const { previous = null, next = null } = walk ?? {};
  const go = (to: string | null) => {
    if (to !== null) navigate({ to: '/shipments/$shipmentId', params: { shipmentId: to } });
  };
  useScreenKeys({ j: () => go(next), k: () => go(previous) });
  if (walk === null) return null;
  return (
    <span className="flex items-center gap-2 max-sm:hidden">
      <span className="text-label text-t3 tabular-nums">
        {walk.position} of {walk.of.toLocaleString(numberLocale())}
        {walk.isAll ? '' : '+'}
      </span>
      <IconButton
        icon="up"
        label="Previous shipment"
        disabled={previous === null}
        onClick={() => go(previous)}
        className="border border-line2"
        aria-keyshortcuts="k"
      />
      <IconButton
        icon="down"
        label="Next shipment"
        disabled={next === null}
        onClick={() => go(next)}
        className="border border-line2"
        aria-keyshortcuts="j"
      />
      <span aria-hidden="true" className="mx-1 h-4 border-line2 border-l" />
    </span>
  );
}
