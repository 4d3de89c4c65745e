import { serviceUrlOf } from '#infra/embedded/service-url.ts';
import { openMailCatcher } from '#test/support/alerts/mail-catcher.ts';
import { openFaultProxy } from '#test/support/api/fault-proxy.ts';
import { until } from '#test/support/until.ts';
import type { Drill, Field, Figures } from '../drill.ts';
import { followByMail } from '../worlds/follow-by-mail.ts';
import { onDatabase } from '../worlds/on-database.ts';
import { backends } from '../worlds/world.ts';
import { load } from './processes.ts';

const maxFlowMs = 30_000;

/** The mail server of alerts. */
export const mailDrills: readonly Drill[] = [
  {
    name: 'mail-hangs',
    what: 'a mail server that accepts connections and says nothing: mails wait, and nothing else does',
    shapes: ['fleet'],
    backends,
    inTests: null,
    load: { registrationsPerS: 1 },
    run: hang,
  },
];

type Messages = { id: string; state: string }[];

async function hang({ world, checker, length }: Field): Promise<Figures> {
  const catcher = await openMailCatcher();
  const proxy = await openFaultProxy(catcher.url);
  const { close } = world;
  world.close = async () => {
    const left = await close();
    await proxy.close();
    await catcher.close();
    return left;
  };
  proxy.freeze();
  const readMessages = (before: Date | null): Promise<Messages> =>
    onDatabase(world, async (client) => {
      const { rows } = await client.query<Messages[number]>(
        'select id, state from landfall.alert_messages where created_at < coalesce($1, now())',
        [before],
      );
      return rows;
    });
  const accountId = await onDatabase(world, async (client) => {
    const { rows } = await client.query<{ id: string }>('select account_id as id from landfall.shipments limit 1');
    return rows[0]?.id ?? '';
  });
  await followByMail(serviceUrlOf(world.databaseUrl), accountId);
  const env = { SMTP_URL: proxy.url, MAIL_FROM: 'Landfall <landfall@example.com>' };
  await Promise.all([world.restart('api', () => ({ env })), world.restart('worker', () => ({ env }))]);
  await until(
    () => readMessages(null),
    (messages) => messages.length > 0,
  );
  await load(length, { short: 2, long: 90 });
  const flowMs = await checker.untilRefreshesFlow();
  if (flowMs > maxFlowMs) checker.ledger.find('answer', `refreshes took ${flowMs} ms beside the mail server`);
  if (catcher.mails.length > 0) checker.ledger.find('answer', 'a mail passed a server that says nothing');
  const healedAt = new Date();
  proxy.thaw();
  const messages = await until(
    () => readMessages(healedAt),
    (all) => all.every(({ state }) => state !== 'waiting'),
  );
  const received = (id: string) => catcher.mails.filter(({ messageId }) => messageId.includes(id)).length;
  for (const { id, state } of messages) {
    if (state !== 'sent') checker.ledger.find('answer', `the mail ${id} was ${state}`);
    else if (received(id) !== 1) checker.ledger.find('doubled', `the mail ${id} arrived ${received(id)} times`);
  }
  return { mails: messages.length, flowMs, mailsAfterMs: Math.round(Date.now() - healedAt.getTime()) };
}
