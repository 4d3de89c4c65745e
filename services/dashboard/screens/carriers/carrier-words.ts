import type { WireCarrier } from '../../api/wire.ts';

/** How a carrier does, as one word with its sign; worst first. */
export type Standing = { sign: 'bad' | 'warn' | 'good' | 'none'; word: string };

/** What hinders most comes first: refused credentials, a pause, what its refreshes say. */
export function standingOf({
  supported,
  credentials,
  service,
  health,
}: Pick<WireCarrier, 'supported' | 'credentials' | 'service' | 'health'>): Standing {
  if (!supported) return { sign: 'none', word: 'Cannot be followed yet' };
  if (credentials.state === 'suspended') return { sign: 'bad', word: 'Refuses the credentials' };
  if (service?.circuit === 'open') return { sign: 'bad', word: 'Paused after failures' };
  if (service?.circuit === 'half_open') return { sign: 'warn', word: 'Being tried again' };
  if (health.state === 'down') return { sign: 'bad', word: 'Not answering' };
  if (health.state === 'degraded') return { sign: 'warn', word: 'Fails now and then' };
  if (health.state === 'healthy') return { sign: 'good', word: 'Answering' };
  return { sign: 'none', word: 'Not asked lately' };
}

const accessWords: Record<string, string> = {
  account: 'Your own',
  instance: 'Of this installation',
  simulator: 'Simulated',
  none: 'None set',
};

/** With whose credentials it is asked. */
export function accessOf({ source, state }: WireCarrier['credentials']): string {
  const words = accessWords[source] ?? source;
  return state === 'suspended' ? `${words}, refused` : words;
}

/** Carriers by what they mean to this account: asked lately, could be asked, only known. */
export function groupCarriers(carriers: readonly WireCarrier[]): { title: string; carriers: WireCarrier[] }[] {
  const isUsed = ({ health, service }: WireCarrier) =>
    health.state !== 'unknown' || health.waiting > 0 || service !== null;
  const rank: Record<Standing['sign'], number> = { bad: 0, warn: 1, good: 2, none: 3 };
  const used = carriers
    .filter((carrier) => isUsed(carrier))
    .toSorted(
      (left, right) =>
        rank[standingOf(left).sign] - rank[standingOf(right).sign] || left.name.localeCompare(right.name),
    );
  const others = carriers
    .filter((carrier) => !isUsed(carrier))
    .toSorted((left, right) => left.name.localeCompare(right.name));
  return [
    { title: 'Asked for you lately, worst first', carriers: used },
    { title: 'Can be followed', carriers: others.filter(({ supported }) => supported) },
    { title: 'Known, cannot be followed yet', carriers: others.filter(({ supported }) => !supported) },
  ].filter((group) => group.carriers.length > 0);
}

/** `99.6 %`, rounded so that one failure never reads as none. */
export function shareWords(share: number): string {
  if (share === 1) return '100 %';
  return `${Math.min(99.9, Math.floor(share * 1000) / 10).toFixed(1)} %`;
}

/** `402 ms`, `1.3 s`. */
export function durationWords(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 10_000 ? `${(ms / 1000).toFixed(2)} s` : `${(ms / 1000).toFixed(1)} s`;
}

/** Seconds as a person says them. */
export function ageWords(s: number): string {
  if (s < 120) return `${Math.round(s)} s`;
  if (s < 7200) return `${Math.round(s / 60)} min`;
  return s < 172_800 ? `${Math.round(s / 3600)} h` : `${Math.round(s / 86_400)} d`;
}
