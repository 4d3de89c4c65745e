import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../parts/button.tsx';
import { PanelDialog } from '../../../parts/dialogs/panel-dialog.tsx';
import { ProblemNote } from '../../../parts/page-states.tsx';
import { numberLocale } from '../../../parts/words/locale.ts';
import { type ShareChoice, ShareFields } from '../../shipment/sharing/share-fields.tsx';
import { shareSettingsQuery } from '../../shipment/sharing/share-queries.ts';

type Props = { count: number; create: (choice: ShareChoice) => void; close: () => void };

/** Dialog for the optional parts of the public pages of all selected shipments. */
export function ShareDialog({ count, create, close }: Props) {
  const settings = useQuery(shareSettingsQuery);
  const [chosen, setChosen] = useState<ShareChoice | null>(null);
  const { data } = settings;
  const choice = chosen ?? (data && { shows: data.shows, expiresAfterDays: data.expires_after_days });
  const number = count.toLocaleString(numberLocale());
  return (
    <PanelDialog
      title={`Share ${number} ${count === 1 ? 'shipment' : 'shipments'}`}
      close={close}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button
            kind="primary"
            disabled={choice === undefined || data?.enabled !== true}
            onClick={() => choice !== undefined && create(choice)}
          >
            Create {number} {count === 1 ? 'link' : 'links'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="text-t2">
          Each shipment gets a link to a public page with its status, route, expected arrival and milestones. You can
          download the links as a CSV file afterwards.
        </p>
        {data?.enabled === false && <p className="text-t2">Shared pages are turned off on this installation.</p>}
        {choice !== undefined && <ShareFields choice={choice} onChange={setChosen} />}
        {settings.error !== null && <ProblemNote error={settings.error} />}
      </div>
    </PanelDialog>
  );
}
