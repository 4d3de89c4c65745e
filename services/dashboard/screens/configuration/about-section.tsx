import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { queryClient } from '../../api/query-client.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { Facts } from '../../parts/facts.tsx';
import { TextField } from '../../parts/inputs/text-field.tsx';
import { numberLocale } from '../../parts/words/locale.ts';
import { useAccount, useSession } from '../session/use-session.ts';
import { SectionFrame } from './section-frame.tsx';

const documents = [
  { href: '/docs', name: 'API' },
  { href: '/docs/mcp', name: 'MCP' },
  { href: '/docs/openapi.json', name: 'OpenAPI document' },
  { href: '/docs/errors', name: 'Errors' },
] as const;

/** The version and address of this installation. */
export function AboutSection() {
  const { version, public_base_url: baseUrl, simulated } = useSession();
  return (
    <SectionFrame title="About">
      <div className="max-w-2xl border-line border-b p-4">
        <Facts
          rows={{
            Version: <span className="tabular-nums">Landfall {version}</span>,
            Address: <span className="font-mono text-number">{baseUrl}</span>,
            License: 'Apache-2.0',
            Documentation: (
              <span className="flex flex-wrap gap-x-4">
                {documents.map(({ href, name }) => (
                  <a key={href} className="text-accent underline-offset-2 hover:underline" href={href}>
                    {name}
                  </a>
                ))}
              </span>
            ),
          }}
        />
      </div>
      {simulated && <Simulation />}
    </SectionFrame>
  );
}

function Simulation() {
  const { role } = useAccount();
  const isOwner = role === 'owner';
  const [isWiping, setWiping] = useState(false);
  const [archived, setArchived] = useState<number | null>(null);
  return (
    <section aria-labelledby="simulated-title" className="max-w-2xl p-4">
      <h2 id="simulated-title" className="font-semibold text-section">
        Simulated carriers
      </h2>
      <p className="mt-1 text-t2">
        This installation simulates every carrier that has no real address configured. Voyages, delays and failures are
        generated. Keys and records work exactly as with real carriers.
      </p>
      <p className="mt-4 text-t2">
        Wiping the demo archives the demo shipments, which removes them from every list, and deletes the webhook
        endpoints, the free-time terms and the API key of the demo. Your own shipments, keys and members are kept.
      </p>
      <Button
        kind="danger"
        className="mt-3"
        disabled={!isOwner}
        title={isOwner ? undefined : 'Only owners can wipe the demo'}
        onClick={() => setWiping(true)}
      >
        Wipe demo
      </Button>
      {archived !== null && (
        <p role="status" className="mt-2 text-green">
          {archived === 1 ? '1 shipment' : `${archived.toLocaleString(numberLocale())} shipments`} archived.
        </p>
      )}
      {!isOwner && <p className="mt-2 text-label text-t3">Only owners can wipe the demo. Your role is {role}.</p>}
      {isWiping && (
        <WipeDialog
          close={() => setWiping(false)}
          onWiped={(count) => {
            setArchived(count);
            setWiping(false);
          }}
        />
      )}
    </section>
  );
}

/** Archives the shipments of the demo. Typing the account's name protects against wiping the wrong account. */
function WipeDialog({ close, onWiped }: { close: () => void; onWiped: (archived: number) => void }) {
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
      title="Wipe the demo?"
      action="Wipe demo"
      busy={wiping.isPending}
      disabled={typed.trim() !== name}
      error={wiping.error}
      onConfirm={() => wiping.mutate()}
      onClose={close}
    >
      <p>Demo shipments are archived and removed from every list. Shipments that you registered are kept.</p>
      <TextField
        className="mt-3"
        label={`Type the account name “${name}” to confirm`}
        value={typed}
        autoComplete="off"
        onChange={(event) => setTyped(event.target.value)}
      />
    </ConfirmDialog>
  );
}
