import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { runForAll, type Tally, tallyWords } from './run-for-all.ts';

export type Verb = 'refresh' | 'resume' | 'archive';

const verbs: Record<Verb, { run: (shipmentId: string) => Promise<unknown>; doing: string; done: string }> = {
  refresh: {
    run: (shipmentId) => call('refreshShipment', { params: { shipment_id: shipmentId } }),
    doing: 'Asking',
    done: 'will be asked now',
  },
  resume: {
    run: (shipmentId) => call('resumeShipment', { params: { shipment_id: shipmentId } }),
    doing: 'Starting',
    done: 'followed again',
  },
  archive: {
    run: (shipmentId) => call('archiveShipment', { params: { shipment_id: shipmentId } }),
    doing: 'Archiving',
    done: 'archived',
  },
};

/** One verb for many shipments, with its progress and its result in words. */
export function useRemedy() {
  const queryClient = useQueryClient();
  const [told, setTold] = useState<{ words: string; busy: boolean } | null>(null);
  const run = async (verb: Verb, ids: readonly string[]) => {
    const { run: one, doing, done } = verbs[verb];
    const tell = (tally: Tally, busy: boolean) => setTold({ words: tallyWords(tally, { doing, done }), busy });
    tell({ done: 0, skipped: 0, refused: new Map(), of: ids.length }, true);
    tell(await runForAll(ids, one, { onProgress: (tally) => tell(tally, true) }), false);
    await queryClient.invalidateQueries({ queryKey: ['failures'] });
    void queryClient.invalidateQueries({ queryKey: ['overview'] });
  };
  return { run, told, busy: told?.busy ?? false };
}
