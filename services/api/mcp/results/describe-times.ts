import type { Journey, PromisedTimes, TimeTriple } from '#shared/domain/record/shipment.ts';
import { minuteText, timeText } from './tool-result.ts';

type Detail = { isDetailed: boolean };

export type TimeTexts = Record<string, string | undefined>;

/** In concise form only the most certain time: actual, otherwise estimated, otherwise planned. */
export function describeTimes({ planned, estimated, actual }: TimeTriple, { isDetailed }: Detail): TimeTexts {
  if (isDetailed) return { planned: timeText(planned), estimated: timeText(estimated), actual: timeText(actual) };
  if (actual !== null) return { actual: timeText(actual) };
  return estimated === null ? { planned: timeText(planned) } : { estimated: timeText(estimated) };
}

/** A delay is shown with both of its times: the first promise, and the expected or actual time. */
export function describePromised(times: PromisedTimes, { isDetailed }: Detail): TimeTexts {
  const isShown = isDetailed || (times.delayHours !== null && times.delayHours !== 0);
  return isShown
    ? { ...describeTimes(times, { isDetailed }), promised: timeText(times.promised) }
    : describeTimes(times, { isDetailed });
}

export function describeEstimate({ eta, seenAt }: Journey['etaHistory'][number]): TimeTexts {
  return { eta: timeText(eta), seen_at: minuteText(seenAt) };
}
