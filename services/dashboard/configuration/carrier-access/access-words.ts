import type { Carrier } from '../../api/landfall-client.ts';
import { dayWords, momentWords } from '../../parts/time-words.ts';

export type AccessState = 'own' | 'instance' | 'simulated' | 'refused' | 'missing' | 'unsupported';

/** With what a carrier is asked, the most pressing first. */
export function accessState({ supported, credentials }: Pick<Carrier, 'supported' | 'credentials'>): AccessState {
  if (credentials.state === 'suspended') return 'refused';
  if (credentials.source === 'account') return 'own';
  if (credentials.source === 'instance') return 'instance';
  if (credentials.source === 'simulator') return 'simulated';
  return supported ? 'missing' : 'unsupported';
}

const reasons: Record<string, string> = { carrier_auth_failed: 'it did not accept them' };

/** One line that says whose credentials, since when, and what is wrong with them. */
export function accessWords(carrier: Pick<Carrier, 'supported' | 'credentials'>, now: number): string {
  const { source, updated_at: updatedAt, suspended_at: suspendedAt, reason } = carrier.credentials;
  switch (accessState(carrier)) {
    case 'refused': {
      const whose = source === 'account' ? 'Yours' : 'The installation’s';
      const since = suspendedAt === null ? '' : ` since ${momentWords(suspendedAt, { now })}`;
      return `${whose}, refused${since}${reason === null ? '' : `: ${reasons[reason] ?? reason.replaceAll('_', ' ')}`}`;
    }
    case 'own':
      return `Yours${updatedAt === null ? '' : `, set ${dayWords(updatedAt, null, now)}`}`;
    case 'instance':
      return 'The installation’s';
    case 'simulated':
      return 'Simulated: no carrier is asked';
    case 'missing':
      return 'None: its shipments wait';
    case 'unsupported':
      return 'Cannot be followed yet';
  }
}

export const accessFilters = [
  { id: 'all', name: 'All' },
  { id: 'own', name: 'Yours' },
  { id: 'instance', name: 'The installation’s' },
  { id: 'simulated', name: 'Simulated' },
  { id: 'refused', name: 'Refused' },
  { id: 'missing', name: 'None' },
] as const;

export type AccessFilter = (typeof accessFilters)[number]['id'];

/** The carriers that a filter and a text leave: what is refused first, then one's own, then by name. */
export function findAccess<Row extends Pick<Carrier, 'name' | 'code' | 'aliases' | 'supported' | 'credentials'>>(
  carriers: readonly Row[],
  { filter, q }: { filter: AccessFilter; q: string },
): Row[] {
  const sought = q.trim().toLowerCase();
  const order: readonly AccessState[] = ['refused', 'own', 'instance', 'simulated', 'missing', 'unsupported'];
  return carriers
    .filter((carrier) => filter === 'all' || accessState(carrier) === filter)
    .filter(
      (carrier) => sought === '' || [carrier.name, carrier.code, ...carrier.aliases].some((name) => name.toLowerCase().includes(sought)),
    )
    .toSorted(
      (left, right) => order.indexOf(accessState(left)) - order.indexOf(accessState(right)) || left.name.localeCompare(right.name, 'en'),
    );
}
