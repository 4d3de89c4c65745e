import { toWireEdi } from '#shared/contract/edi/edi-wire.ts';
import { receiveEdi } from '#shared/core/events-in/receive-edi.ts';
import type { EdiFormat } from '#shared/domain/events-in/edi-report.ts';
import type { Call, Routes } from '../plugins/serve.ts';

type EdiCall = Pick<Call<'receiveX12'>, 'ctx' | 'caller' | 'query' | 'body'>;

export const ediRoutes = {
  receiveX12: (call) => receive(call, 'x12'),
  receiveEdifact: (call) => receive(call, 'edifact'),
  receiveCargoImp: (call) => receive(call, 'cargo_imp'),
} satisfies Partial<Routes>;

async function receive({ ctx, caller, query, body }: EdiCall, format: EdiFormat) {
  return toWireEdi(await receiveEdi(ctx.core, caller, { format, text: body, sourceName: query.source_name ?? null }));
}
