import { type FreightWorld, playNow } from '../freight-world.ts';
import type { KnownVoyages } from '../ocean/known-voyages.ts';
import { type Play, rowsUntil } from './play.ts';
import { planRailJourney, railRows } from './rail-journey.ts';
import { terminalRows } from './terminal-visits.ts';
import { planTruckJourney, truckRows } from './truck-journey.ts';

/** Numbers whose sources post events: waybills, bills of lading of own trucks, and B/Ls whose containers are discharged. */
export type PlayedNumbers = { rail: readonly string[]; trucks: readonly string[]; terminal: readonly string[] };

/** Numbers of the demonstration shipments. */
export const demonstrationNumbers: PlayedNumbers = {
  rail: ['DEMO24011702'],
  trucks: ['DEMO24011708'],
  terminal: ['MAEU240117001', 'HLCUHAM240117003', 'MEDUAB240117'],
};

/** Sources that post events of these numbers. A terminal's begin with the voyage, which begins when it is requested. */
export function playsOf(numbers: PlayedNumbers, { known, ...world }: FreightWorld & { known: KnownVoyages }): Play[] {
  const { seed, firstSeen } = world;
  const restart = (number: string) => (nowMs: number) => firstSeen.set(number, nowMs);
  const rail = numbers.rail.map((number): Play => {
    const rowsAt = () => {
      const played = playNow(world, 'rail', number, (plain) => planRailJourney(seed, plain));
      return played === null ? [] : rowsUntil(railRows(played.journey, played.startMs), played);
    };
    return { name: `rail ${number}`, rowsAt, restart: restart(number) };
  });
  const trucks = numbers.trucks.map((number): Play => {
    const rowsAt = () => {
      const played = playNow(world, 'truck', number, (plain) => planTruckJourney(seed, plain));
      return played === null ? [] : rowsUntil(truckRows(played.journey, played), played);
    };
    return { name: `truck ${number}`, rowsAt, restart: restart(number) };
  });
  const terminals = numbers.terminal.map((reference): Play => {
    const rowsAt = (nowMs: number) =>
      known.lookUp(reference, null).flatMap((record) => {
        const moment = known.momentOf(record, nowMs);
        return rowsUntil(terminalRows(known.voyageOf(record), moment.startMs), moment);
      });
    return { name: `terminal ${reference}`, rowsAt, restart: () => undefined };
  });
  return [...rail, ...trucks, ...terminals];
}
