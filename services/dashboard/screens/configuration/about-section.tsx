import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { queryClient } from '../../api/query-client.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Facts } from '../../parts/facts.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { useAccount, useSession } from '../session/use-session.ts';
import { SectionFrame } from './section-frame.tsx';

const link = 'text-accent underline-offset-2 hover:underline';

/** What runs here. */
export function AboutSection() {
  const { version, public_base_url: baseUrl, simulated } = useSession();
  const account = useAccount();
  const [isWiping, setWiping] = useState(false);
  const [archived, setArchived] = useState<number | null>(null);
  const isOwner = account.role === 'owner';
  return (
    <SectionFrame title="About">
      <div className="max-w-2xl border-line border-b p-4">
        <Facts
          rows={[
            [
              'Landfall',
              <span key="version" className="tabular-nums">
                {version}
              </span>,
            ],
            [
              'Address',
              <span key="url" className="font-mono text-number">
                {baseUrl}
              </span>,
            ],
            ['Licence', 'Apache-2.0: use, change and pass on, also in what you sell'],
            [
              'Documents',
              <span key="links" className="flex flex-wrap gap-x-4">
                <a className={link} href="/docs">
                  API
                </a>
                <a className={link} href="/docs/mcp">
                  MCP
                </a>
                <a className={link} href="/docs/openapi.json">
                  OpenAPI document
                </a>
                <a className={link} href="/docs/errors">
                  Errors
                </a>
              </span>,
            ],
          ]}
        />
      </div>
      {simulated && (
        <section aria-labelledby="simulated-title" className="max-w-2xl p-4">
          <h2 id="simulated-title" className="font-semibold text-section">
            Simulated carriers
          </h2>
          <p className="mt-1 text-t2">
            This installation plays every carrier that has no address of its own: voyages, delays and failures are
            invented, and nothing here happens in the world. Live keys and records look just as they will with real
            carriers.
          </p>
          <p className="mt-4 text-t2">
            When you have seen enough, wipe the demonstration: its shipments are archived, out of every list. Yours,
            keys and members stay.
          </p>
          <Button
            kind="danger"
            className="mt-3"
            disabled={!isOwner}
            title={isOwner ? undefined : 'Only owners wipe the demonstration'}
            onClick={() => setWiping(true)}
          >
            Wipe the demonstration
          </Button>
          {archived !== null && (
            <p role="status" className="mt-2 text-green">
              {archived === 1 ? 'One shipment is' : `${archived.toLocaleString('en')} shipments are`} archived.
            </p>
          )}
          {!isOwner && <p className="mt-2 text-label text-t3">Owners do that. You are a {account.role}.</p>}
        </section>
      )}
      {isWiping && (
        <WipeDialog
          close={() => setWiping(false)}
          onWiped={(count) => {
            setArchived(count);
            setWiping(false);
          }}
        />
      )}
    </SectionFrame>
  );
}

/** Archives what the demonstration made. The account's name is typed, so that it is this account's. */
export function WipeDialog({ close, onWiped }: { close: () => void; onWiped: (archived: number) => void }) {
  const { name } = useAccount();
  const [typed, setTyped] = useState('');
  const wiping = useMutation({
    mutationFn: () => call('wipeDemo'),
    onSuccess: ({ archived }) => {
      onWiped(archived);
      return queryClient.invalidateQueries();
    },
  });
  return (
    <ConfirmDialog
      title="Wipe the demonstration?"
      action="Wipe it"
      busy={wiping.isPending}
      disabled={typed.trim() !== name}
      error={wiping.error}
      onConfirm={() => wiping.mutate()}
      onClose={close}
    >
      <p>The demonstration’s shipments are archived and leave every list. What you registered yourself stays.</p>
      <TextField
        className="mt-3"
        label={`Type “${name}”, the account’s name`}
        value={typed}
        autoComplete="off"
        onChange={(event) => setTyped(event.target.value)}
      />
    </ConfirmDialog>
  );
}
