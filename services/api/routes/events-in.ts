import { toWireEvents } from '#shared/contract/events-in/events-wire.ts';
import { recordEvents } from '#shared/core/events-in/record-events.ts';
import { recordShipmentEvents } from '#shared/core/events-in/record-shipment-events.ts';
import { voidEvent } from '#shared/core/events-in/void-event.ts';
import type { EventRowResult } from '#shared/domain/events-in/event-row.ts';
import { addTo } from '#shared/telemetry/instruments.ts';
import { answer, type Routes } from '../plugins/serve.ts';

export const eventsInRoutes = {
  async pushShipmentEvents({ ctx, caller, params, body: rows }) {
    return answerRows(await recordShipmentEvents(ctx.core, caller, { ...params, rows }));
  },

  async pushEventBatch({ ctx, caller, body: rows }) {
    return answerRows(await recordEvents(ctx.core, caller, { rows }));
  },

  async voidEvent({ ctx, caller, params }) {
    await voidEvent(ctx.core, caller, params);
    return undefined;
  },
} satisfies Partial<Routes>;

function answerRows({ replayed, results }: { replayed: boolean; results: readonly EventRowResult[] }) {
  const wire = toWireEvents(results);
  if (!replayed)
    for (const outcome of ['added', 'unchanged', 'position_updated', 'failed'] as const)
      if (wire.summary[outcome] > 0) addTo('landfall.events.pushed', wire.summary[outcome], { outcome });
  return answer(200, wire, replayed ? { 'idempotent-replayed': 'true' } : {});
}
