import type { CredentialField } from '#shared/domain/carriers/known-connectors.ts';
import type { WireCarrier } from '../../../api/wire.ts';
import { dayWords, momentWords } from '../../../parts/time-words.ts';

export type AccessState = 'own' | 'instance' | 'simulated' | 'rejected' | 'missing' | 'unaddressed' | 'unsupported';

/** Summarizes the credentials that a carrier is polled with. Rejected ones come first. */
export function accessState({ connection, credentials }: Pick<WireCarrier, 'connection' | 'credentials'>): AccessState {
  if (credentials.state === 'suspended') return 'rejected';
  if (connection === 'needs_address') return 'unaddressed';
  if (credentials.source === 'account') return 'own';
  if (credentials.source === 'instance') return 'instance';
  if (credentials.source === 'simulator') return 'simulated';
  return connection === 'pushed_only' ? 'unsupported' : 'missing';
}

const reasons: Record<string, string> = { carrier_auth_failed: 'authentication failed' };

/** One line: whose credentials, since when, and what is wrong with them. */
export function accessWords(carrier: Pick<WireCarrier, 'connection' | 'credentials'>, now: number): string {
  const { source, updated_at: updatedAt, suspended_at: suspendedAt, reason } = carrier.credentials;
  switch (accessState(carrier)) {
    case 'rejected': {
      const whose = source === 'account' ? 'Yours' : 'Installation';
      const since = suspendedAt === null ? '' : ` since ${momentWords(suspendedAt, { now })}`;
      return `${whose}, rejected${since}${reason === null ? '' : `: ${reasons[reason] ?? reason.replaceAll('_', ' ')}`}`;
    }
    case 'own':
      return `Yours${updatedAt === null ? '' : `, set ${dayWords(updatedAt, null, now)}`}`;
    case 'instance':
      return 'Installation';
    case 'simulated':
      return 'Simulated';
    case 'missing':
      return 'None configured';
    case 'unaddressed':
      return source === 'account' ? 'Yours, but no address' : 'Needs an address';
    case 'unsupported':
      return 'No connector';
  }
}

/** Workers use replaced credentials for some seconds more: results of that time say nothing about the new ones. */
const settledMs = 4000;

export type Trial = { outcome: 'accepted' | 'rejected' | 'failed'; at: string } | { outcome: 'not_yet' };

/** The result of the account's own credentials since they were set. Null: there are none. */
export function trialOf({ credentials, health }: Pick<WireCarrier, 'credentials' | 'health'>): Trial | null {
  if (credentials.source !== 'account' || credentials.updated_at === null) return null;
  if (credentials.suspended_at !== null) return { outcome: 'rejected', at: credentials.suspended_at };
  const sinceMs = Date.parse(credentials.updated_at) + settledMs;
  const isSince = (at: string | null): at is string => at !== null && Date.parse(at) > sinceMs;
  if (isSince(health.last_success_at)) return { outcome: 'accepted', at: health.last_success_at };
  return isSince(health.last_error_at) ? { outcome: 'failed', at: health.last_error_at } : { outcome: 'not_yet' };
}

/** The result as a sentence. */
export function trialWords(carrier: Pick<WireCarrier, 'name' | 'credentials' | 'health'>, now: number): string | null {
  const trial = trialOf(carrier);
  if (trial === null) return null;
  if (trial.outcome === 'not_yet')
    return `Not used yet. Landfall uses them for the next refresh of a ${carrier.name} shipment.`;
  const at = momentWords(trial.at, { now });
  if (trial.outcome === 'accepted') return `${carrier.name} accepted them. Last response ${at}.`;
  if (trial.outcome === 'rejected') return `${carrier.name} rejected them at ${at}.`;
  return `Not verified yet. The last call to ${carrier.name} failed at ${at}. Landfall retries.`;
}

export const accessFilters = [
  { id: 'all', name: 'All' },
  { id: 'own', name: 'Yours' },
  { id: 'instance', name: 'Installation' },
  { id: 'simulated', name: 'Simulated' },
  { id: 'rejected', name: 'Rejected' },
  { id: 'missing', name: 'None' },
  { id: 'unaddressed', name: 'No address' },
] as const;

export type AccessFilter = (typeof accessFilters)[number]['id'];

/** The carriers that match a filter and a text: rejected first, then the account's own, then by name. */
export function findAccess<Row extends Pick<WireCarrier, 'name' | 'code' | 'aliases' | 'connection' | 'credentials'>>(
  carriers: readonly Row[],
  { filter, q }: { filter: AccessFilter; q: string },
): Row[] {
  const sought = q.trim().toLowerCase();
  const order: readonly AccessState[] = [
    'rejected',
    'own',
    'instance',
    'simulated',
    'missing',
    'unaddressed',
    'unsupported',
  ];
  return carriers
    .filter((carrier) => filter === 'all' || accessState(carrier) === filter)
    .filter(
      (carrier) =>
        sought === '' ||
        [carrier.name, carrier.code, ...carrier.aliases].some((name) => name.toLowerCase().includes(sought)),
    )
    .toSorted(
      (left, right) =>
        order.indexOf(accessState(left)) - order.indexOf(accessState(right)) ||
        left.name.localeCompare(right.name, 'en'),
    );
}

type FieldTexts = { name: string; hint: string; lines?: number; secret?: boolean };

/** The names of the fields in the portals of carriers. */
export const fieldTexts: Record<CredentialField, FieldTexts> = {
  client_id: { name: 'Client ID', hint: 'Also called consumer key or application ID.' },
  client_secret: { name: 'Client secret', hint: 'Shown once when you created the client.', secret: true },
  api_key: { name: 'API key', hint: 'Also called consumer key or subscription key.', secret: true },
  certificate: { name: 'Certificate', hint: 'PEM: -----BEGIN CERTIFICATE----- …', lines: 4 },
  private_key: { name: 'Private key', hint: 'PEM, without a passphrase, for that certificate.', lines: 4 },
  scope: { name: 'Scope', hint: 'The OAuth 2.0 scope from the carrier.' },
};

/** `Client ID and client secret` */
export function fieldList(fields: readonly CredentialField[]): string {
  const names = fields.map((field, index) => (index === 0 ? fieldTexts[field].name : lower(fieldTexts[field].name)));
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function lower(name: string): string {
  return name.startsWith('API') ? name : name.charAt(0).toLowerCase() + name.slice(1);
}
