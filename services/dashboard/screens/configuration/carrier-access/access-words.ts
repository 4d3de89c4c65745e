import type { CredentialField } from '#shared/domain/carriers/known-connectors.ts';
import type { WireCarrier } from '../../../api/wire.ts';
import { dayWords, momentWords } from '../../../parts/time-words.ts';

export type AccessState = 'own' | 'instance' | 'simulated' | 'refused' | 'missing' | 'unsupported';

/** With what a carrier is asked, the most pressing first. */
export function accessState({ supported, credentials }: Pick<WireCarrier, 'supported' | 'credentials'>): AccessState {
  if (credentials.state === 'suspended') return 'refused';
  if (credentials.source === 'account') return 'own';
  if (credentials.source === 'instance') return 'instance';
  if (credentials.source === 'simulator') return 'simulated';
  return supported ? 'missing' : 'unsupported';
}

const reasons: Record<string, string> = { carrier_auth_failed: 'it did not accept them' };

/** One line that says whose credentials, since when, and what is wrong with them. */
export function accessWords(carrier: Pick<WireCarrier, 'supported' | 'credentials'>, now: number): string {
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

/** Workers go on with credentials that were replaced for some seconds: what came before proves nothing of the new ones. */
const settledMs = 4000;

export type Trial = { outcome: 'accepted' | 'refused' | 'failed'; at: string } | { outcome: 'not_yet' };

/** What the carrier said to the account's own credentials since they were set; null: there are none. */
export function trialOf({ credentials, health }: Pick<WireCarrier, 'credentials' | 'health'>): Trial | null {
  if (credentials.source !== 'account' || credentials.updated_at === null) return null;
  if (credentials.suspended_at !== null) return { outcome: 'refused', at: credentials.suspended_at };
  const sinceMs = Date.parse(credentials.updated_at) + settledMs;
  const isSince = (at: string | null): at is string => at !== null && Date.parse(at) > sinceMs;
  if (isSince(health.last_success_at)) return { outcome: 'accepted', at: health.last_success_at };
  return isSince(health.last_error_at) ? { outcome: 'failed', at: health.last_error_at } : { outcome: 'not_yet' };
}

/** That, as a sentence. */
export function trialWords(carrier: Pick<WireCarrier, 'name' | 'credentials' | 'health'>, now: number): string | null {
  const trial = trialOf(carrier);
  if (trial === null) return null;
  if (trial.outcome === 'not_yet')
    return `Not tried yet: the next refresh of a shipment of ${carrier.name} tries them.`;
  const at = momentWords(trial.at, { now });
  if (trial.outcome === 'accepted') return `${carrier.name} accepted them; last answer ${at}.`;
  if (trial.outcome === 'refused') return `${carrier.name} refused them at ${at}.`;
  return `Not known yet: ${carrier.name} gave no usable answer at ${at}; it is asked again.`;
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
export function findAccess<Row extends Pick<WireCarrier, 'name' | 'code' | 'aliases' | 'supported' | 'credentials'>>(
  carriers: readonly Row[],
  { filter, q }: { filter: AccessFilter; q: string },
): Row[] {
  const sought = q.trim().toLowerCase();
  const order: readonly AccessState[] = ['refused', 'own', 'instance', 'simulated', 'missing', 'unsupported'];
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

type FieldWords = { name: string; hint: string; lines?: number; secret?: boolean };

/** What each field is called in carriers' portals. */
export const fieldWords: Record<CredentialField, FieldWords> = {
  client_id: { name: 'Client id', hint: 'Also called consumer key or application id.' },
  client_secret: { name: 'Client secret', hint: 'Shown once where you made the client.', secret: true },
  api_key: { name: 'API key', hint: 'Also called consumer key or subscription key.', secret: true },
  certificate: { name: 'Certificate', hint: 'PEM: -----BEGIN CERTIFICATE----- …', lines: 4 },
  private_key: { name: 'Private key', hint: 'PEM, without a passphrase, of that certificate.', lines: 4 },
  scope: { name: 'Scope', hint: 'The OAuth 2.0 scope that the carrier gave you.' },
};

/** `Client id and client secret` */
export function fieldList(fields: readonly CredentialField[]): string {
  const names = fields.map((field, index) => (index === 0 ? fieldWords[field].name : lower(fieldWords[field].name)));
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function lower(name: string): string {
  return name.startsWith('API') ? name : name.toLowerCase();
}
