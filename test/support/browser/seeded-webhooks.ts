import { decodeTypeId } from '#shared/domain/type-id.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { TestApi } from '#test/support/api/api.ts';
import type { SignedInMember } from './dashboard.ts';

export type SeededWebhooks = { healthy: string; failing: string; disabled: string; delivery: string };

/** A server error as a proxy writes it. */
const answer = '<html>\n<head><title>502 Bad Gateway</title></head>\n<body>upstream timed out</body>\n</html>';

/** Three endpoints, one of them failing and one disabled, with deliveries of the last day. Addresses are never called. */
export async function seedWebhooks(api: TestApi, owner: SignedInMember): Promise<SeededWebhooks> {
  const create = async (body: object): Promise<string> => {
    const created = await owner.ask('/dashboard/api/v1/webhook-endpoints', { body });
    if (created.status !== 201) throw new Error(`${created.status}: ${JSON.stringify(created.body)}`);
    return created.body.webhook_endpoint_id;
  };
  const healthy = await create({ url: 'https://1.1.1.1/hooks/landfall', description: 'Warehouse Rotterdam' });
  const failing = await create({
    url: `https://1.1.1.1/${'a-very-long-path-of-an-integration-platform/'.repeat(3)}hooks`,
    types: ['shipment.status_changed', 'shipment.eta_changed', 'shipment.delivered'],
    filter: { destination: ['NLRTM'], late: true, metadata: { buyer: ['acme'] } },
    headers: { 'x-environment': 'production' },
    ordering: 'shipment',
    rate_per_second: 50,
  });
  const disabled = await create({ url: 'https://1.1.1.1/gone', description: 'Former ERP', payload: 'thin' });
  const run = (text: string, values: unknown[]) =>
    withSystem(api.ctx.core.store, (tx) => tx.query(text, [owner.accountId, ...values]));
  const uuid = (id: string) => decodeTypeId('whe', id);
  await run(
    `update landfall.webhook_cursors set failing_since = now() - interval '5 hours', consecutive_failures = 61,
      last_failure_at = now() - interval '2 minutes', last_success_at = now() - interval '6 hours'
    where account_id = $1 and endpoint_id = $2`,
    [uuid(failing)],
  );
  await run(
    `update landfall.webhook_endpoints set enabled = false, disabled_at = now() - interval '3 days', disabled_reason = 'gone'
    where account_id = $1 and id = $2`,
    [uuid(disabled)],
  );
  const insert = (endpointId: string, state: string, part: { hours: number; every: number; status: number | null }) =>
    run(
      `insert into landfall.webhook_deliveries
        (account_id, endpoint_id, id, sequence, change_id, type, state, tries, next_try_at, tried_at, status, latency_ms,
          error, trace_id, answer, earlier, created_at)
      select $1, $2, uuidv7(- make_interval(mins => minute)), case $3 when 'exhausted' then 1000000 else 2000000 end - minute, uuidv7(), 'shipment.eta_changed', $3,
        case when $3 = 'delivered' then 1 else 3 end, case when $3 = 'waiting' then now() + interval '25 minutes' end,
        now() - make_interval(mins => minute), $6::smallint, 40 + minute % 90,
        case when $6::smallint is null then 'timeout' end,
        '4bf92f3577b34da6a3ce929d0e0e4736', case when $6::smallint > 299 then $7 end, null,
        now() - make_interval(mins => minute)
      from generate_series(2, $4 * 60, $5) as minute`,
      [uuid(endpointId), state, part.hours, part.every, part.status, answer],
    );
  await insert(healthy, 'delivered', { hours: 23, every: 7, status: 204 });
  await insert(failing, 'waiting', { hours: 5, every: 31, status: 502 });
  await insert(failing, 'exhausted', { hours: 4, every: 97, status: null });
  const { body } = await owner.ask(`/dashboard/api/v1/webhook-endpoints/${failing}/deliveries`);
  return { healthy, failing, disabled, delivery: body.data[0].delivery_id };
}
