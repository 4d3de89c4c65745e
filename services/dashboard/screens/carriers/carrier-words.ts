import type { ConnectionState } from '#shared/domain/carriers/connection.ts';
import type { WireCarrier } from '../../api/wire.ts';

/** The state of a carrier as one word with its mark. */
export type SignedState = { sign: 'bad' | 'warn' | 'good' | 'none'; word: string };

/** The most serious state first: rejected credentials, an open circuit, then the health of recent refreshes. */
export function standingOf({
  connection,
  credentials,
  service,
  health,
}: Pick<WireCarrier, 'connection' | 'credentials' | 'service' | 'health'>): SignedState {
  if (connection === 'pushed_only') return { sign: 'none', word: connectionWord(connection) };
  if (credentials.state === 'suspended') return { sign: 'bad', word: 'Credentials rejected' };
  if (service?.circuit === 'open') return { sign: 'bad', word: 'Paused after failures' };
  if (service?.circuit === 'half_open') return { sign: 'warn', word: 'Retrying' };
  if (health.state === 'down') return { sign: 'bad', word: 'Unavailable' };
  if (health.state === 'degraded') return { sign: 'warn', word: 'Degraded' };
  if (health.state === 'healthy') return { sign: 'good', word: 'Healthy' };
  // The workers know of calls that no stored refresh of this account shows.
  const rate = service?.success_rate ?? null;
  if (rate !== null) return rate > 0 ? { sign: 'good', word: 'Responding' } : { sign: 'bad', word: 'Unavailable' };
  if (connection !== 'ready') return { sign: 'none', word: connectionWord(connection) };
  return { sign: 'none', word: health.waiting > 0 ? 'Waiting for a worker' : 'Not polled: no shipment is due' };
}

const connectionWords: Record<ConnectionState, string> = {
  ready: 'Ready',
  needs_credentials: 'Needs credentials',
  needs_address: 'Needs an address',
  pushed_only: 'Pushed only',
};

/** Words for the state of the connection to a carrier. */
export function connectionWord(connection: string): string {
  return connectionWords[connection as ConnectionState] ?? connection.replaceAll('_', ' ');
}

const sourceWords: Record<string, string> = {
  account: 'Your own',
  instance: 'Installation',
  simulator: 'Simulated',
  none: 'None',
};

/** Describes whose credentials the carrier is polled with. */
export function accessOf({ source, state }: WireCarrier['credentials']): string {
  const words = sourceWords[source] ?? source;
  return state === 'suspended' ? `${words}, rejected` : words;
}

/** Carriers by what they mean to this account: in use, ready, to be set up, known. */
export function groupCarriers(carriers: readonly WireCarrier[]): { title: string; carriers: WireCarrier[] }[] {
  const isUsed = ({ health, service }: WireCarrier) =>
    health.state !== 'unknown' || health.waiting > 0 || service !== null;
  const rank: Record<SignedState['sign'], number> = { bad: 0, warn: 1, good: 2, none: 3 };
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
    { title: 'In use, worst first', carriers: used },
    { title: 'Ready', carriers: others.filter(({ connection }) => connection === 'ready') },
    {
      title: 'To be set up',
      carriers: others.filter(({ connection }) => connection !== 'ready' && connection !== 'pushed_only'),
    },
    { title: 'Events pushed only', carriers: others.filter(({ connection }) => connection === 'pushed_only') },
  ].filter((group) => group.carriers.length > 0);
}

/** `99.6 %`, rounded down so that a single failure never reads as 100 %. */
export function shareWords(share: number): string {
  if (share === 1) return '100 %';
  return `${Math.min(99.9, Math.floor(share * 1000) / 10).toFixed(1)}%`;
}

/** `402 ms`, `1.30 s` */
export function durationWords(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 10_000 ? `${(ms / 1000).toFixed(2)} s` : `${(ms / 1000).toFixed(1)} s`;
}

/** `90 s`, `12 min`, `9 h`, `4 d` */
export function ageWords(s: number): string {
  if (s < 120) return `${Math.round(s)} s`;
  if (s < 7200) return `${Math.round(s / 60)} min`;
  return s < 172_800 ? `${Math.round(s / 3600)} h` : `${Math.round(s / 86_400)} d`;
}
