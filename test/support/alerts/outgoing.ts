import type { OutgoingMessage } from '#shared/domain/alerts/outgoing.ts';

/** A message to a member. Any part can be replaced. */
export function outgoing(changes: Partial<OutgoingMessage> = {}): OutgoingMessage {
  const id = '0196a000-0000-7000-8000-000000000001';
  const base = 'https://track.example.com';
  const entries = [
    {
      key: 'chg_one',
      facts: {
        title: 'MSKU 123456 5',
        detail: 'PO-7741 · Maersk · CNSHA → NLRTM · In transit · ETA 27 Apr 13:00',
        lines: ['Entered “Late into Rotterdam”', 'ETA moved from 25 Apr 13:00 to 27 Apr 13:00 (+2 d)'],
        path: '/shipments/shp_01kahf3m2xfr5tq4d8z9w6c7yb#chg_one',
        at: '2026-04-20T08:15:00.000Z',
      },
    },
    {
      key: 'chg_two',
      facts: {
        title: '020-0800 2050',
        detail: 'Lufthansa Cargo · FRA → ORD · Arrived',
        lines: ['Exception: Held by customs'],
        path: '/shipments/shp_01kahf3m2xfr5tq4d8z9w6c7yc#chg_two',
        at: '2026-04-20T08:16:00.000Z',
      },
    },
  ];
  return {
    id,
    channel: 'email',
    timing: 'at_once',
    kind: 'changes',
    test: false,
    accountName: 'Acme Logistics',
    recipient: { name: 'Ada Person', email: 'ada@example.com' },
    entries,
    count: entries.length,
    createdAt: '2026-04-20T08:16:05.000Z',
    timeZone: 'Europe/Berlin',
    links: {
      base,
      query: '?account=acc_01kahf3m2xfr5tq4d8z9w6c7yb&mode=live',
      message: `${base}/alerts/messages/msg_01kahf3m2xfr5tq4d8z9w6c7yb?account=acc_01kahf3m2xfr5tq4d8z9w6c7yb&mode=live`,
      settings: `${base}/alerts?account=acc_01kahf3m2xfr5tq4d8z9w6c7yb&mode=live`,
      unsubscribe: `${base}/unsubscribe/01kahf3m2xfr5tq4d8z9w6c7yb.01kahf3m2xfr5tq4d8z9w6c7yb.01kahf3m2xfr5tq4d8z9w6c7yb.AAAAAAAAAAAAAAAAAAAAAA`,
    },
    ...changes,
  };
}
