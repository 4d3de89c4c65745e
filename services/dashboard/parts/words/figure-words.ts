import { numberLocale } from './locale.ts';

const number = (value: number, digits = 0) => value.toLocaleString(numberLocale(), { maximumFractionDigits: digits });

/** `12 h`, from two days on `31 d` or `31.5 d`. */
export function hourWords(hours: number): string {
  return hours < 48 ? `${number(hours, 1)} h` : `${number(hours / 24, 1)} d`;
}

/** `34 min`, `9 h`, `1.5 d`. */
export function minuteWords(minutes: number): string {
  if (minutes < 1) return '< 1 min';
  return minutes < 120 ? `${number(minutes)} min` : hourWords(minutes / 60);
}

/** A share of 0 to 1: `75%`. A share that is not whole is never shown as all or nothing. */
export function percentWords(share: number): string {
  if (share > 0 && share < 0.01) return '< 1%';
  if (share < 1 && share > 0.99) return '> 99%';
  return `${Math.round(share * 100)}%`;
}

/** `CNSHA-NLRTM` as `CNSHA → NLRTM`. */
export function laneWords(lane: string): string {
  return lane
    .split('-')
    .map((end) => (end === 'unknown' ? '?' : end))
    .join(' → ');
}

export const punctualityWords: Record<string, string> = {
  early: 'Early',
  on_time: 'As promised',
  late: 'Late',
  unknown: 'No promise known',
};

export const freshnessWords: Record<string, string> = {
  fresh: 'Current',
  stale: 'Outdated',
  never: 'None yet',
  final: 'Final',
};

export const outcomeWords: Record<string, string> = {
  within: 'Kept',
  exceeded: 'Exceeded',
  open: 'Still running',
  unknown: 'Unknown',
  none: 'Not started',
};
