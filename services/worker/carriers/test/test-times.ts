import type { CarrierTime, Place } from '#shared/domain/events/event.ts';
import { carrierTime } from '#shared/places/carrier-time.ts';

const minuteMs = 60_000;

/** The full minute of the registration, from which the times of a test journey count. In epoch ms. */
export function testStartMs({ createdAt }: { createdAt: string }): number {
  return Math.floor(Date.parse(createdAt) / minuteMs) * minuteMs;
}

/** An instant of a test journey as a carrier states it. */
export function testTime(atMs: number, place: Place): CarrierTime {
  const time = carrierTime(new Date(atMs).toISOString().replace(/:00\.000Z$/, 'Z'), { policy: 'offset', place });
  if (time === null) throw new Error('a test event has no time');
  return time;
}
