import { connectors } from '#services/worker/carriers/registry.ts';
import type { Reading } from '#shared/domain/events/event.ts';
import { contractSubject } from '#test/services/worker/carriers/contract-carrier.ts';
import { openSimulatedCarrier } from '#test/support/carriers/simulated-carrier.ts';

const daysOfVoyage = 40;
const dayMs = 86_400_000;
const stepMs = dayMs / 4;

/**
 * A carrier's successive readings from the booking until the empty container is returned: up to `answers` distinct
 * readings of a simulated voyage that ended before `nowMs`, parsed by the connector itself.
 */
export async function readVoyage(nowMs: number, answers: number): Promise<Reading[]> {
  const simulated = openSimulatedCarrier(connectors.maersk, { seed: 'voyage', voyageS: (daysOfVoyage * dayMs) / 1000 });
  const readings: Reading[] = [];
  let before = '';
  try {
    const startMs = nowMs - (daysOfVoyage + 10) * dayMs;
    for (simulated.clock.ms = startMs; simulated.clock.ms < nowMs; simulated.clock.ms += stepMs) {
      const results = await connectors.maersk.fetch(
        simulated.carrier,
        [contractSubject('maersk')],
        AbortSignal.timeout(60_000),
      );
      const [result] = results.values();
      if (result?.outcome !== 'found') continue;
      const seen = JSON.stringify(result.reading);
      if (seen !== before) readings.push(result.reading);
      before = seen;
    }
  } finally {
    await simulated.close();
  }
  if (readings.length < 5) throw new Error(`the simulated voyage returned only ${readings.length} distinct readings`);
  const last = readings.length - 1;
  const picked = Array.from({ length: answers }, (_, n) => Math.round((n * last) / Math.max(1, answers - 1)));
  return [...new Set(picked)].flatMap((index) => readings[index] ?? []);
}
