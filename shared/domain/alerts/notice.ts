import { oneLine } from '../words/safe-text.ts';
import type { EntryFacts } from './entry.ts';

/** A notice to the owners of an account that isn't about a shipment. */
export const noticeKinds = ['webhook_disabled', 'credentials_refused', 'carrier_failing', 'import_finished'] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** Sent once to each owner who wants notices. `key` is unique in the account. */
export type Notice = { key: string; kind: NoticeKind; test: boolean; facts: EntryFacts };

const maxName = 200;

export function webhookDisabled(
  endpoint: { id: string; url: string; reason: 'gone' | 'failing' },
  { publicId, test, at }: { publicId: string; test: boolean; at: string },
): Notice {
  const why =
    endpoint.reason === 'gone' ? 'It responded with 410 (Gone).' : 'No delivery to it has succeeded for three days.';
  return {
    key: `webhook_disabled ${endpoint.id} ${at}`,
    kind: 'webhook_disabled',
    test,
    facts: {
      title: 'Webhook endpoint disabled',
      detail: oneLine(endpoint.url, maxName),
      lines: [why, 'Enable it again when the receiver works, then replay the missed changes.'],
      path: `/developers/webhooks/${publicId}`,
      at,
    },
  };
}

export function credentialsRefused({ id, carrierName }: { id: string; carrierName: string }, at: string): Notice {
  return {
    key: `credentials_refused ${id} ${at}`,
    kind: 'credentials_refused',
    test: false,
    facts: {
      title: `${carrierName} refused your credentials`,
      detail: null,
      lines: ['Landfall has stopped using them and tries them again periodically.', 'Set new ones to go on at once.'],
      path: '/configuration/carriers',
      at,
    },
  };
}

/** `since`: of its last success, ISO UTC. */
export function carrierFailing(
  { connector, carrierName }: { connector: string; carrierName: string },
  { since, at }: { since: string; at: string },
): Notice {
  return {
    key: `carrier_failing ${connector} ${since}`,
    kind: 'carrier_failing',
    test: false,
    facts: {
      title: `${carrierName} is failing`,
      detail: null,
      lines: ['The carrier has answered no request for an hour.', 'Landfall keeps trying; nothing is lost.'],
      path: '/carriers',
      at,
    },
  };
}

export function importFinished(
  found: { id: string; test: boolean; state: string; created: number; existing: number; failed: number },
  at: string,
): Notice {
  const count = (number: number, noun: string) => `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
  return {
    key: `import_finished ${found.id}`,
    kind: 'import_finished',
    test: found.test,
    facts: {
      title: found.state === 'failed' ? 'Import failed' : 'Import finished',
      detail: null,
      lines: [
        `${count(found.created, 'shipment')} created, ${found.existing.toLocaleString('en')} known already`,
        ...(found.failed > 0 ? [`${count(found.failed, 'row')} refused`] : []),
        ...(found.state === 'failed' ? ['It was ended because nearly every row was refused.'] : []),
      ],
      path: '/add?from=file',
      at,
    },
  };
}
