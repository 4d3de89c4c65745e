import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { WireAlert } from '#shared/contract/alerts/alert-wire.ts';
import { call, chosen } from '../../api/call.ts';
import { Button } from '../../parts/button.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { EmptyState, ErrorState, ProblemNote } from '../../parts/page-states.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { AlertPanel, type AlertSubject } from './alert-panel.tsx';
import { alertKeys, alertsQuery, preferencesQuery } from './alert-queries.ts';
import { channelsText, ruleWords, timingWords } from './alert-words.ts';
import { ChannelsSection } from './channels-section.tsx';
import { MessagesSection } from './messages-section.tsx';
import { TimesSection } from './times-section.tsx';

/** The member's alerts, channels, times and sent messages. */
export function AlertsPage() {
  const alerts = useQuery(alertsQuery());
  const preferences = useQuery(preferencesQuery());
  useBrowserZone(preferences.data?.time_zone);
  const [editing, setEditing] = useState<AlertSubject | null>(null);
  return (
    <div className="flex min-h-full flex-col">
      <PageHead title="Alerts" count={alerts.data?.length} />
      {alerts.data === undefined ? (
        alerts.error ? (
          <ErrorState error={alerts.error} retry={() => void alerts.refetch()} />
        ) : (
          <div className="flex flex-col gap-3 p-4" aria-hidden="true">
            <Skeleton className="w-80" />
            <Skeleton className="w-64" />
          </div>
        )
      ) : alerts.data.length === 0 ? (
        <EmptyState
          title="No alerts yet"
          action={
            <Link to="/" className="text-accent underline-offset-2 hover:underline">
              Go to shipments
            </Link>
          }
        >
          Save a view of {chosen.mode} shipments and choose the bell beside its name, or choose “Alert me” on a
          shipment.
        </EmptyState>
      ) : (
        <ul>
          {alerts.data.map((alert) => (
            <AlertLine key={alert.id} alert={alert} edit={() => setEditing(subjectOf(alert))} />
          ))}
        </ul>
      )}
      {preferences.data === undefined ? (
        preferences.error && <ErrorState error={preferences.error} retry={() => void preferences.refetch()} />
      ) : (
        <div className="grid gap-x-10 border-line border-t lg:grid-cols-2">
          <ChannelsSection preferences={preferences.data} />
          <TimesSection preferences={preferences.data} />
        </div>
      )}
      <MessagesSection />
      {editing !== null && <AlertPanel subject={editing} close={() => setEditing(null)} />}
    </div>
  );
}

function subjectOf({ subject }: WireAlert): AlertSubject {
  return subject.kind === 'view'
    ? { kind: 'view', id: subject.view_id, name: subject.name }
    : { kind: 'shipment', id: subject.shipment_id, name: subject.name };
}

function AlertLine({ alert, edit }: { alert: WireAlert; edit: () => void }) {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: alertKeys.all });
  const params = { alert_id: alert.id };
  const pause = useMutation({
    mutationFn: () => call('changeAlert', { params, body: { paused: !alert.paused } }),
    onSuccess: refresh,
  });
  const remove = useMutation({ mutationFn: () => call('deleteAlert', { params }), onSuccess: refresh });
  const failure = pause.error ?? remove.error;
  const { subject } = alert;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1.5 border-line border-b px-4 py-2.5">
      <div className={`min-w-0 flex-1 basis-72 ${alert.paused ? 'text-t3' : ''}`}>
        <p className="flex items-center gap-2">
          {subject.kind === 'shipment' ? (
            <Link
              to="/shipments/$shipmentId"
              params={{ shipmentId: subject.shipment_id }}
              className="font-medium font-mono text-number hover:underline"
            >
              {subject.name}
            </Link>
          ) : (
            <span className="truncate font-medium">{subject.name}</span>
          )}
          {alert.paused && <span className="rounded-badge border border-line2 px-1.5 text-label text-t3">Paused</span>}
        </p>
        <p className="text-t2">{ruleWords(alert.rules).join(' · ')}</p>
      </div>
      <p className="w-56 text-t2 max-sm:w-full">
        {channelsText(alert.channels)} · {timingWords[alert.timing]}
      </p>
      <div className="flex gap-1 sm:w-56 sm:justify-end">
        <Button onClick={edit}>Edit</Button>
        <Button
          busy={pause.isPending}
          disabled={alert.paused && alert.channels.length === 0}
          onClick={() => pause.mutate()}
        >
          {alert.paused ? 'Resume' : 'Pause'}
        </Button>
        <Button kind="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
          Delete
        </Button>
      </div>
      {failure && <ProblemNote error={failure} className="w-full" />}
    </li>
  );
}

/** Stores the browser's time zone until the member chooses one. */
function useBrowserZone(stored: string | undefined): void {
  const client = useQueryClient();
  useEffect(() => {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (stored !== 'UTC' || zone === undefined || zone === 'UTC') return;
    call('changeAlertPreferences', { body: { time_zone: zone } }).then(
      (changed) => client.setQueryData(preferencesQuery().queryKey, changed),
      // The member can choose it.
      () => undefined,
    );
  }, [client, stored]);
}
