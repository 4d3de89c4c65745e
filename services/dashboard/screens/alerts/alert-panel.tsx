import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { WireAlert, WireRules } from '#shared/contract/alerts/alert-wire.ts';
import type { WirePreferences } from '#shared/contract/alerts/preferences-wire.ts';
import { call } from '../../api/call.ts';
import { Button } from '../../parts/button.tsx';
import { PanelDialog } from '../../parts/dialogs/panel-dialog.tsx';
import { ProblemNote } from '../../parts/page-states.tsx';
import { alertKeys, alertsQuery, preferencesQuery } from './alert-queries.ts';
import { type AlertDelivery, DeliveryFields } from './delivery-fields.tsx';
import { RuleFields } from './rule-fields.tsx';

export type AlertSubject =
  | { kind: 'view'; id: string; name: string; followable?: boolean }
  | { kind: 'shipment'; id: string; name: string };

/** Makes or changes the member's alert of a view or of a shipment. */
export function AlertPanel({ subject, close }: { subject: AlertSubject; close: () => void }) {
  const alerts = useQuery(alertsQuery());
  const preferences = useQuery(preferencesQuery());
  const error = alerts.error ?? preferences.error;
  const known = alerts.data?.find(
    (alert) => ('view_id' in alert.subject ? alert.subject.view_id : alert.subject.shipment_id) === subject.id,
  );
  if (subject.kind === 'view' && subject.followable === false)
    return (
      <PanelDialog title={`Alert me: ${subject.name}`} close={close}>
        <p className="text-t2">
          Alerts can’t follow a view with a relative date. Save a view without “Arriving today”, and choose “Free time
          ends” or a status as its rule.
        </p>
      </PanelDialog>
    );
  if (alerts.data === undefined || preferences.data === undefined)
    return (
      <PanelDialog title={`Alert me: ${subject.name}`} close={close}>
        {error && (
          <ProblemNote error={error} retry={() => void Promise.all([alerts.refetch(), preferences.refetch()])} />
        )}
      </PanelDialog>
    );
  return <AlertForm subject={subject} known={known} preferences={preferences.data} close={close} />;
}

type FormProps = {
  subject: AlertSubject;
  known: WireAlert | undefined;
  preferences: WirePreferences;
  close: () => void;
};

const firstRules = { view: { enters: true }, shipment: { statuses: ['delivered'], exception: true } } as const;

function AlertForm({ subject, known, preferences, close }: FormProps) {
  const client = useQueryClient();
  const [rules, setRules] = useState<WireRules>(known?.rules ?? (firstRules[subject.kind] as unknown as WireRules));
  const [delivery, setDelivery] = useState<AlertDelivery>({
    channels: known?.channels ?? preferences.channels,
    timing: known?.timing ?? preferences.timing,
  });
  const settings = { rules, channels: [...delivery.channels], timing: delivery.timing, paused: false };
  const save = useMutation({
    mutationFn: () =>
      known === undefined
        ? call('createAlert', {
            body: {
              ...(subject.kind === 'view' ? { view_id: subject.id } : { shipment_id: subject.id }),
              ...settings,
            },
          })
        : call('changeAlert', { params: { alert_id: known.id }, body: settings }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: alertKeys.all });
      close();
    },
  });
  const remove = useMutation({
    mutationFn: () => call('deleteAlert', { params: { alert_id: known?.id ?? '' } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: alertKeys.all });
      close();
    },
  });
  const isEmpty = Object.keys(rules).length === 0 || delivery.channels.length === 0;
  const failure = save.error ?? remove.error;
  return (
    <PanelDialog
      title={`Alert me: ${subject.name}`}
      close={close}
      footer={
        <>
          {known !== undefined && (
            <Button kind="danger" className="mr-auto" busy={remove.isPending} onClick={() => remove.mutate()}>
              Delete alert
            </Button>
          )}
          <Button onClick={close}>Cancel</Button>
          <Button kind="primary" disabled={isEmpty} busy={save.isPending} onClick={() => save.mutate()}>
            {known === undefined ? 'Create alert' : 'Save'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-6">
        {failure && <ProblemNote error={failure} />}
        {known?.paused && <p className="text-t2">This alert is paused. Saving it resumes it.</p>}
        <RuleFields rules={rules} isOfView={subject.kind === 'view'} change={setRules} />
        <DeliveryFields value={delivery} preferences={preferences} change={setDelivery} />
      </div>
    </PanelDialog>
  );
}
