import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { WirePreferences } from '#shared/contract/alerts/preferences-wire.ts';
import { type AddressedChannel, addressedChannels, type Channel } from '#shared/domain/alerts/alert.ts';
import { call } from '../../api/call.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { CheckboxLine } from '../../parts/inputs/checkbox.tsx';
import { TextField } from '../../parts/inputs/text-field.tsx';
import { ProblemNote } from '../../parts/page-states.tsx';
import { alertKeys, messageQuery, preferencesQuery, useChangePreferences } from './alert-queries.ts';
import { channelWords, stateWords } from './alert-words.ts';
import { mailHint } from './delivery-fields.tsx';

const addressHints: Record<AddressedChannel, string> = {
  slack: 'Address of an incoming webhook: https://hooks.slack.com/services/…',
  teams: 'Address of a workflow that posts webhook alerts to a channel or chat.',
  webhook: 'Address that receives a signed POST (Standard Webhooks).',
};

/** Manages the member's addresses and default channels, and sends a test message to each. */
export function ChannelsSection({ preferences }: { preferences: WirePreferences }) {
  const change = useChangePreferences();
  const { channels, mail_available: hasMail, mail_off: isOff } = preferences;
  const setDefault = (channel: Channel, on: boolean) => {
    const others = channels.filter((one) => one !== channel);
    const next = on ? [...others, channel] : others;
    if (next.length > 0) change.mutate({ channels: next });
  };
  return (
    <section aria-labelledby="channels" className="flex flex-col gap-4 px-4 py-5">
      <h2 id="channels" className="font-semibold text-section">
        Channels
      </h2>
      {!hasMail && (
        <p className="rounded-control border border-line2 bg-sunk px-3 py-2 text-t2">
          This installation has no mail server yet, so that no e-mail is sent. Your operator sets <code>SMTP_URL</code>.
          The other channels work.
        </p>
      )}
      <div className="flex flex-wrap items-start gap-3 border-line border-b pb-4">
        <div className="min-w-0 flex-1 basis-60">
          <CheckboxLine
            checked={channels.includes('email')}
            onChecked={(on) => setDefault('email', on)}
            hint={mailHint(preferences)}
          >
            E-mail, for new alerts and notices
          </CheckboxLine>
        </div>
        {isOff ? (
          <Button busy={change.isPending} onClick={() => change.mutate({ mail_off: false })}>
            Turn e-mail on
          </Button>
        ) : (
          <Trial channel="email" disabled={!hasMail} />
        )}
      </div>
      {addressedChannels.map((kind) => (
        <AddressedLine
          key={kind}
          kind={kind}
          host={preferences.addresses.find(({ channel }) => channel === kind)?.host ?? null}
          isDefault={channels.includes(kind)}
          setDefault={(on) => setDefault(kind, on)}
        />
      ))}
      {change.error && <ProblemNote error={change.error} />}
    </section>
  );
}

type LineProps = {
  kind: AddressedChannel;
  host: string | null;
  isDefault: boolean;
  setDefault: (on: boolean) => void;
};

function AddressedLine({ kind, host, isDefault, setDefault }: LineProps) {
  const client = useQueryClient();
  const [isEditing, setEditing] = useState(false);
  const [url, setUrl] = useState('');
  const params = { channel: kind };
  const set = useMutation({
    mutationFn: () => call('setAlertChannel', { params, body: { url } }),
    onSuccess: ({ preferences }) => {
      client.setQueryData(preferencesQuery().queryKey, preferences);
      setEditing(false);
      setUrl('');
    },
  });
  const remove = useMutation({
    mutationFn: () => call('removeAlertChannel', { params }),
    onSuccess: () => client.invalidateQueries({ queryKey: alertKeys.all }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    set.mutate();
  };
  const secret = set.data?.secret ?? null;
  return (
    <div className="flex flex-col gap-2 border-line border-b pb-4 last:border-b-0">
      <div className="flex flex-wrap items-start gap-2">
        <div className="min-w-0 flex-1 basis-60">
          {host === null ? (
            <p>{channelWords[kind]}</p>
          ) : (
            <CheckboxLine checked={isDefault} onChecked={setDefault} hint={host}>
              {channelWords[kind]}, for new alerts and notices
            </CheckboxLine>
          )}
        </div>
        {host !== null && <Trial channel={kind} disabled={false} />}
        {!isEditing && <Button onClick={() => setEditing(true)}>{host === null ? 'Set up' : 'Change address'}</Button>}
        {host !== null && (
          <Button kind="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
            Remove
          </Button>
        )}
      </div>
      {isEditing && (
        <form onSubmit={submit} className="flex flex-wrap items-start gap-2">
          <TextField
            label={`${channelWords[kind]} address`}
            hint={addressHints[kind]}
            type="url"
            required
            autoComplete="off"
            value={url}
            onChange={(event) => setUrl(event.target.value)}
            className="min-w-0 flex-1 basis-72"
          />
          <Button type="submit" kind="primary" className="mt-5.5" busy={set.isPending} disabled={url.trim() === ''}>
            Save
          </Button>
          <Button className="mt-5.5" onClick={() => setEditing(false)}>
            Cancel
          </Button>
        </form>
      )}
      {secret !== null && (
        <div className="flex flex-wrap items-center gap-2 rounded-control border border-line2 bg-sunk px-3 py-2">
          <p className="w-full text-t2">The secret that verifies signatures. It is not shown again.</p>
          <code className="min-w-0 break-all font-mono text-label">{secret}</code>
          <CopyButton text={secret} label="Copy secret" />
        </div>
      )}
      {(set.error ?? remove.error) && <ProblemNote error={set.error ?? remove.error} />}
    </div>
  );
}

/** Sends a message that says only that the channel works, and shows the result. */
function Trial({ channel, disabled }: { channel: Channel; disabled: boolean }) {
  const send = useMutation({ mutationFn: () => call('sendAlertTrial', { body: { channel } }) });
  const messageId = send.data?.message_id ?? '';
  const sent = useQuery({
    ...messageQuery(messageId, 0),
    enabled: messageId !== '',
    refetchInterval: ({ state }) => (state.data === undefined || state.data.message.state === 'waiting' ? 1000 : false),
  });
  const message = sent.data?.message;
  const isOver = message !== undefined && message.state !== 'waiting';
  return (
    <span className="flex flex-wrap items-center gap-2">
      {message !== undefined && (
        <span role="status" className={message.state === 'sent' || !isOver ? 'text-t2' : 'text-red'}>
          {message.reason === null ? stateWords[message.state] : `${stateWords[message.state]}: ${message.reason}`}
        </span>
      )}
      {send.error && <span className="text-red">{send.error.message}</span>}
      <Button
        disabled={disabled}
        busy={send.isPending || (messageId !== '' && !isOver && message?.tries === 0)}
        onClick={() => send.mutate()}
      >
        Send a test
      </Button>
    </span>
  );
}
