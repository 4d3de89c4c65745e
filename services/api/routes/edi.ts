import { toWireEdi } from '#shared/contract/edi/edi-wire.ts';
import { receiveEdi } from '#shared/core/events-in/receive-edi.ts';
import type { EdiFormat } from '#shared/domain/events-in/edi-report.ts';
import { goneSignal } from '../http/gone-signal.ts';
import type { Call, Routes } from '../plugins/serve.ts';

type EdiCall = Pick<Call<'receiveX12'>, 'ctx' | 'caller' | 'query' | 'body' | 'request' | 'reply'>;

export const ediRoutes = {
  receiveX12: (call) => receive(call, 'x12'),
  receiveEdifact: (call) => receive(call, 'edifact'),
  receiveCargoImp: (call) => receive(call, 'cargo_imp'),
} satisfies Partial<Routes>;

async function receive({ ctx, caller, query, body, request, reply }: EdiCall, format: EdiFormat) {
  const options = {
    accountId: caller.accountId,
    isStored: true,
    signal: goneSignal(reply),
    hold: (more: number) => request.memory?.grow(more),
  };
  const read = (nowMs: number) => ctx.parsing.read('edi', { format, ...body, nowMs }, options);
  return toWireEdi(await receiveEdi(ctx.core, caller, { format, read, sourceName: query.source_name ?? null }));
}
