import { Menu } from '@base-ui/react/menu';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { call } from '../../../api/call.ts';
import { saveFile } from '../../../api/save-file.ts';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { PanelDialog } from '../../../parts/dialogs/panel-dialog.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { MenuSeparator, menuItemClasses, PopupMenu } from '../../../parts/inputs/menu.tsx';
import { useAccount, useSession } from '../../session/use-session.ts';
import { recordPath } from '../use-shipment.ts';
import { type Verb, VerbDialog } from './verb-dialog.tsx';
import { canCancel, canResume } from './verb-permission.ts';

type VerbItem = { verb: Verb; name: string; isAllowed: boolean; reason: string };

/** The record for programs, and the verbs that change tracking. */
export function MoreMenu({ shipment }: { shipment: WireShipment }) {
  const [verb, setVerb] = useState<Verb | null>(null);
  const [isRecordOpen, setRecordOpen] = useState(false);
  const [announced, setAnnounced] = useState('');
  const { public_base_url: base } = useSession();
  const isViewer = useAccount().role === 'viewer';
  const copy = async (text: string, done: string) => {
    const isCopied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    setAnnounced(isCopied ? done : 'Copy failed. The browser blocked clipboard access.');
  };
  const bundle = useMutation({
    mutationFn: () => call('getShipmentBundle', { params: { shipment_id: shipment.shipment_id } }),
    onSuccess: (lines) => {
      saveFile(new Blob([lines], { type: 'application/x-ndjson' }), `${shipment.shipment_id}.ndjson`);
    },
  });
  const curl = `curl ${base}${recordPath(shipment.shipment_id)} -H "Authorization: Bearer $LANDFALL_KEY"`;
  return (
    <>
      <span role="status" className="sr-only">
        {announced}
      </span>
      {bundle.isError && (
        <p role="alert" className="text-label text-red">
          Download failed. Try again.
        </p>
      )}
      <PopupMenu
        label="More about this shipment"
        title="More"
        className="inline-flex size-7 shrink-0 items-center justify-center rounded-control border border-line2 text-t2 hover:bg-hover hover:text-t1"
        trigger={<Icon name="more" size={16} />}
      >
        <Menu.Item className={menuItemClasses} onClick={() => setRecordOpen(true)}>
          View JSON
        </Menu.Item>
        <Menu.Item className={menuItemClasses} disabled={bundle.isPending} onClick={() => bundle.mutate()}>
          Download everything
        </Menu.Item>
        <Menu.Item className={menuItemClasses} onClick={() => copy(curl, 'Copied as curl.')}>
          Copy as curl
        </Menu.Item>
        <Menu.Item className={menuItemClasses} onClick={() => copy(shipment.shipment_id, 'Copied the ID.')}>
          Copy ID
        </Menu.Item>
        <Menu.Item className={menuItemClasses} onClick={() => window.print()}>
          Print
        </Menu.Item>
        <MenuSeparator />
        {verbsOf(shipment).map(({ verb: one, name, isAllowed, reason }) => (
          <Menu.Item
            key={one}
            disabled={!isAllowed || isViewer}
            className={menuItemClasses}
            onClick={() => setVerb(one)}
          >
            {name}
            {(!isAllowed || isViewer) && (
              <span className="ml-auto pl-4 text-label">{isViewer ? 'view-only access' : reason}</span>
            )}
          </Menu.Item>
        ))}
      </PopupMenu>
      {verb !== null && <VerbDialog verb={verb} shipment={shipment} close={() => setVerb(null)} />}
      {isRecordOpen && <RecordPanel shipment={shipment} close={() => setRecordOpen(false)} />}
    </>
  );
}

function verbsOf(shipment: WireShipment): VerbItem[] {
  const isArchived = shipment.archived_at !== null;
  const hasEnded = shipment.tracking === null || ['stopped', 'failed', 'completed'].includes(shipment.tracking.state);
  return [
    { verb: 'resume', name: 'Resume tracking…', isAllowed: canResume(shipment), reason: 'tracking is active' },
    {
      verb: 'stop',
      name: 'Stop tracking…',
      isAllowed: !hasEnded && !isArchived,
      reason: isArchived ? 'archived' : 'tracking has ended',
    },
    {
      verb: 'cancel',
      name: 'Mark as cancelled…',
      isAllowed: canCancel(shipment),
      reason: isArchived ? 'archived' : shipment.status.replaceAll('_', ' '),
    },
    isArchived
      ? { verb: 'restore', name: 'Restore…', isAllowed: true, reason: '' }
      : { verb: 'archive', name: 'Archive…', isAllowed: true, reason: '' },
  ];
}

/** The record as programs read it. */
function RecordPanel({ shipment, close }: { shipment: WireShipment; close: () => void }) {
  const text = JSON.stringify(shipment, null, 2);
  return (
    <PanelDialog title="JSON record" close={close} footer={<CopyButton text={text} label="Copy JSON" />}>
      <p className="mb-3 break-all font-mono text-number text-t2">GET {recordPath(shipment.shipment_id)}</p>
      <pre className="whitespace-pre-wrap break-words rounded-control bg-sunk p-3 font-mono text-[11.5px] leading-[18px]">
        {text}
      </pre>
    </PanelDialog>
  );
}
