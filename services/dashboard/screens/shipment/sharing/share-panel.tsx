import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { sharePasswordLength } from '#shared/domain/shares/share.ts';
import { call } from '../../../api/call.ts';
import { ProblemError } from '../../../api/problem-error.ts';
import { Button } from '../../../parts/button.tsx';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { ConfirmDialog } from '../../../parts/dialogs/confirm-dialog.tsx';
import { PanelDialog } from '../../../parts/dialogs/panel-dialog.tsx';
import { TextField } from '../../../parts/inputs/text-field.tsx';
import { ProblemNote } from '../../../parts/page-states.tsx';
import { type ShareChoice, ShareFields } from './share-fields.tsx';
import { reloadShares, shareSettingsQuery, sharesQuery } from './share-queries.ts';
import { shareStateWords, showsWords, type WireShare } from './share-words.ts';

/** Links to the public page of a shipment: a new one, and those that exist. */
export function SharePanel({ shipment, close }: { shipment: WireShipment; close: () => void }) {
  const id = shipment.shipment_id;
  const settings = useQuery(shareSettingsQuery);
  const [created, setCreated] = useState<{ url: string } | null>(null);
  return (
    <PanelDialog title="Share" close={close}>
      <div className="flex flex-col gap-6">
        {created !== null && <NewLink url={created.url} again={() => setCreated(null)} />}
        {created === null && settings.data?.enabled === false && (
          <p className="text-t2">Shared pages are turned off on this installation.</p>
        )}
        {created === null && settings.data?.enabled === true && (
          <NewShare
            shipmentId={id}
            defaults={{ shows: settings.data.shows, expiresAfterDays: settings.data.expires_after_days }}
            onCreated={setCreated}
          />
        )}
        {settings.error !== null && <ProblemNote error={settings.error} />}
        <Links shipmentId={id} />
      </div>
    </PanelDialog>
  );
}

type NewProps = { shipmentId: string; defaults: ShareChoice; onCreated: (share: { url: string }) => void };

function NewShare({ shipmentId, defaults, onCreated }: NewProps) {
  const [choice, setChoice] = useState(defaults);
  const [label, setLabel] = useState('');
  const [password, setPassword] = useState('');
  const creating = useMutation({
    mutationFn: () =>
      call('createShare', {
        params: { shipment_id: shipmentId },
        body: {
          shows: [...choice.shows],
          expires_after_days: choice.expiresAfterDays,
          ...(label.trim() === '' ? {} : { label: label.trim() }),
          ...(password === '' ? {} : { password }),
        },
      }),
    onSuccess: (share) => {
      onCreated(share);
      return reloadShares(shipmentId);
    },
  });
  const problem = creating.error instanceof ProblemError ? creating.error : null;
  const errorOf = (pointer: string) => problem?.errors.find((one) => one.pointer === pointer)?.detail ?? null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    creating.mutate();
  };
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <p className="text-t2">
        Anyone with the link sees the status, the route, the expected arrival and the milestones, in their own language
        and without signing in.
      </p>
      <ShareFields choice={choice} onChange={setChoice} />
      <TextField
        label="Password (optional)"
        type="text"
        autoComplete="off"
        spellCheck={false}
        maxLength={sharePasswordLength.max}
        hint={`At least ${sharePasswordLength.min} characters. Send it separately from the link.`}
        error={errorOf('/password')}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <TextField
        label="Label (optional)"
        hint="A name for the link. The page doesn't show it."
        maxLength={200}
        error={errorOf('/label')}
        value={label}
        onChange={(event) => setLabel(event.target.value)}
      />
      {creating.error !== null && <ProblemNote error={creating.error} />}
      <Button kind="primary" type="submit" busy={creating.isPending} className="self-start">
        Create link
      </Button>
    </form>
  );
}

/** The address is shown once: only a hash of it is stored. */
function NewLink({ url, again }: { url: string; again: () => void }) {
  return (
    <section aria-labelledby="new-link" className="flex flex-col gap-3">
      <h2 id="new-link" className="font-semibold text-section">
        Link created
      </h2>
      <div className="flex min-h-10 items-center gap-2 rounded-control border border-line2 py-1 pr-1.5 pl-3">
        <code data-secret="" className="min-w-0 flex-1 select-all break-all font-mono text-number">
          {url}
        </code>
        <CopyButton text={url} kind="strong" name="the link" />
      </div>
      <p className="text-t2">Copy it now. The link is not shown again, but you can create another one.</p>
      <div className="flex gap-3">
        <a href={url} target="_blank" rel="noopener noreferrer" className="text-accent hover:underline">
          Open the page
        </a>
        <button type="button" className="text-accent hover:underline" onClick={again}>
          Create another link
        </button>
      </div>
    </section>
  );
}

function Links({ shipmentId }: { shipmentId: string }) {
  const shares = useQuery(sharesQuery(shipmentId));
  const [revoking, setRevoking] = useState<WireShare | null>(null);
  if (shares.error !== null) return <ProblemNote error={shares.error} />;
  if (shares.data === undefined || shares.data.length === 0) return null;
  return (
    <section aria-labelledby="links">
      <h2 id="links" className="mb-2 font-semibold text-section">
        Links
      </h2>
      <ul className="border-line border-t">
        {shares.data.map((share) => (
          <li key={share.share_id} className="flex items-start gap-3 border-line border-b py-2">
            <div className={`min-w-0 flex-1 ${share.state === 'active' ? '' : 'text-t3'}`}>
              <p className="truncate font-medium">{share.label ?? showsWords(share.shows)}</p>
              <p className="text-label text-t2">
                {shareStateWords(share)}
                {share.has_password && ' · Password'}
                {share.label !== null && ` · ${showsWords(share.shows)}`}
              </p>
            </div>
            {share.state === 'active' && (
              <Button kind="danger" onClick={() => setRevoking(share)}>
                Revoke
              </Button>
            )}
          </li>
        ))}
      </ul>
      {revoking !== null && <Revoking share={revoking} shipmentId={shipmentId} close={() => setRevoking(null)} />}
    </section>
  );
}

function Revoking({ share, shipmentId, close }: { share: WireShare; shipmentId: string; close: () => void }) {
  const revoke = useMutation({
    mutationFn: () => call('revokeShare', { params: { share_id: share.share_id } }),
    onSuccess: async () => {
      await reloadShares(shipmentId);
      close();
    },
  });
  return (
    <ConfirmDialog
      title="Revoke this link?"
      action="Revoke"
      busy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onClose={close}
    >
      The page stops working at once, for everyone who has the link. This can’t be undone.
    </ConfirmDialog>
  );
}
