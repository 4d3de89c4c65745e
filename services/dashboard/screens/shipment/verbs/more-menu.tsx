import { Menu } from '@base-ui/react/menu';
import { useState } from 'react';
import type { WireShipment } from '#shared/contract/wire-schemas.ts';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { menuClasses, menuItemClasses } from '../../../parts/menu.ts';
import { PanelDialog } from '../../../parts/panel-dialog.tsx';
import { useAccount, useSession } from '../../session/use-session.ts';
import { recordPath } from '../use-shipment.ts';
import { type Verb, VerbDialog } from './verb-dialog.tsx';
import { canCancel, canResume } from './verb-permission.ts';

/** What is done less often: to programs, and to the tracking itself. */
export function MoreMenu({ shipment }: { shipment: WireShipment }) {
  const [verb, setVerb] = useState<Verb | null>(null);
  const [isRecordOpen, setRecordOpen] = useState(false);
  const [told, setTold] = useState('');
  const { public_base_url: base } = useSession();
  const isViewer = useAccount().role === 'viewer';
  const isArchived = shipment.archived_at !== null;
  const ended = shipment.tracking === null || ['stopped', 'failed', 'completed'].includes(shipment.tracking.state);
  const copy = async (text: string, done: string) => {
    const isCopied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    setTold(isCopied ? done : 'The browser does not allow copying');
  };
  const verbs: { verb: Verb; name: string; can: boolean; why: string }[] = [
    { verb: 'resume', name: 'Resume tracking…', can: canResume(shipment), why: 'it goes on' },
    { verb: 'stop', name: 'Stop tracking…', can: !ended && !isArchived, why: isArchived ? 'archived' : 'it has ended' },
    {
      verb: 'cancel',
      name: 'Mark as cancelled…',
      can: canCancel(shipment),
      why: isArchived ? 'archived' : shipment.status.replaceAll('_', ' '),
    },
    isArchived
      ? { verb: 'restore', name: 'Restore…', can: true, why: '' }
      : { verb: 'archive', name: 'Archive…', can: true, why: '' },
  ];
  return (
    <>
      <span role="status" className="sr-only">
        {told}
      </span>
      <Menu.Root>
        <Menu.Trigger
          aria-label="More about this shipment"
          title="More"
          className="inline-flex size-7 shrink-0 items-center justify-center rounded-control border border-line2 text-t2 hover:bg-hover hover:text-t1"
        >
          <Icon name="more" size={16} />
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner align="end" sideOffset={4} className="z-30">
            <Menu.Popup className={menuClasses}>
              <Menu.Item className={menuItemClasses} onClick={() => setRecordOpen(true)}>
                The record as JSON
              </Menu.Item>
              <Menu.Item
                className={menuItemClasses}
                onClick={() =>
                  copy(
                    `curl ${base}${recordPath(shipment.shipment_id)} -H "Authorization: Bearer $LANDFALL_KEY"`,
                    'Copied as curl',
                  )
                }
              >
                Copy as curl
              </Menu.Item>
              <Menu.Item className={menuItemClasses} onClick={() => copy(shipment.shipment_id, 'Copied the id')}>
                Copy the id
              </Menu.Item>
              <Menu.Item className={menuItemClasses} onClick={() => window.print()}>
                Print
              </Menu.Item>
              <Menu.Separator className="my-1 border-line border-t" />
              {verbs.map(({ verb: one, name, can, why }) => (
                <Menu.Item
                  key={one}
                  disabled={!can || isViewer}
                  className={menuItemClasses}
                  onClick={() => setVerb(one)}
                >
                  {name}
                  {(!can || isViewer) && (
                    <span className="ml-auto pl-4 text-label">{isViewer ? 'not for viewers' : why}</span>
                  )}
                </Menu.Item>
              ))}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      {verb !== null && <VerbDialog verb={verb} shipment={shipment} close={() => setVerb(null)} />}
      {isRecordOpen && <RecordPanel shipment={shipment} close={() => setRecordOpen(false)} />}
    </>
  );
}

/** The record as programs read it. */
export function RecordPanel({ shipment, close }: { shipment: WireShipment; close: () => void }) {
  const text = JSON.stringify(shipment, null, 2);
  return (
    <PanelDialog title="The record" close={close} footer={<CopyButton text={text} label="Copy the JSON" />}>
      <p className="mb-3 break-all font-mono text-number text-t2">GET {recordPath(shipment.shipment_id)}</p>
      <pre className="whitespace-pre-wrap break-words rounded-control bg-sunk p-3 font-mono text-[11.5px] leading-[18px]">
        {text}
      </pre>
    </PanelDialog>
  );
}
