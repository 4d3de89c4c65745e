import { positionMistake } from '#shared/domain/positions/vehicle-position.ts';
import {
  claimPositionRound,
  endPositionRound,
  forgetVessels,
  keepVesselPositions,
  readVesselsUnderWay,
  type VesselPosition,
} from '#shared/store/positions/vessel-positions.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/** The source of ships' positions failed. The message is safe to log and to show to the operator. */
export class PositionsUnavailable extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'PositionsUnavailable';
  }
}

/** Response of the source for some vessels. `unreadable`: rows that were no positions. */
export type PositionsAnswer = { positions: VesselPosition[]; unreadable: number };

export type PositionQuestions = {
  /** Asks about these vessels. Throws `PositionsUnavailable`. */
  ask: (imos: readonly string[]) => Promise<PositionsAnswer>;
  /** The source knows the simulator's vessels, and no real ones. */
  simulated: boolean;
  everyMs: number;
  signal: AbortSignal;
};

/** `refused`: positions of other vessels, and those that can't be true. */
export type PositionsRound = { asked: number; kept: number; refused: number };

export const vesselsPerQuestion = 500;
/** One after the other. More vessels than all container ships of the world. */
const maxQuestions = 40;
const firstPauseMs = 30_000;
const maxPauseMs = 3_600_000;

/**
 * Asks where the vessels are that carry an open shipment now, and keeps what is newer. One worker at a time does it.
 * Null: it is not due. After a failure, all workers pause, twice as long each time. Throws `PositionsUnavailable`.
 */
export async function askVesselPositions(
  ctx: CoreContext,
  questions: PositionQuestions,
): Promise<PositionsRound | null> {
  const { everyMs, signal } = questions;
  const round = await withSystem(ctx.store, (tx) => claimPositionRound(tx, everyMs));
  if (round === null) return null;
  try {
    const done = await askInTurn(ctx, questions);
    if (!signal.aborted) await withSystem(ctx.store, (tx) => endPositionRound(tx, { failure: null, pauseMs: 0 }));
    return done;
  } catch (error) {
    if (!(error instanceof PositionsUnavailable) || signal.aborted) throw error;
    const pauseMs = Math.max(everyMs, Math.min(maxPauseMs, firstPauseMs * 2 ** Math.min(round.failures, 10)));
    const failure = error.message.slice(0, 300);
    await withSystem(ctx.store, (tx) => endPositionRound(tx, { failure, pauseMs }));
    throw error;
  }
}

async function askInTurn(ctx: CoreContext, { ask, simulated, signal }: PositionQuestions): Promise<PositionsRound> {
  const done: PositionsRound = { asked: 0, kept: 0, refused: 0 };
  let after = '';
  for (let question = 0; question < maxQuestions && !signal.aborted; question++) {
    const limit = vesselsPerQuestion;
    const imos = await withSystem(ctx.store, (tx) => readVesselsUnderWay(tx, { simulated, after, limit }));
    const last = imos.at(-1);
    if (last === undefined) break;
    const { positions, unreadable } = await ask(imos);
    const nowMs = ctx.now().getTime();
    const asked = new Set(imos);
    const kept = positions.filter((one) => asked.has(one.imo) && positionMistake(one, nowMs) === null);
    await withSystem(ctx.store, async (tx) => {
      done.kept += await keepVesselPositions(tx, { simulated, positions: kept });
    });
    done.asked += imos.length;
    done.refused += unreadable + positions.length - kept.length;
    after = last;
    if (imos.length < limit) break;
  }
  await withSystem(ctx.store, forgetVessels);
  return done;
}
