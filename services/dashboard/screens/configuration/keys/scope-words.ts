import { grantableScopes, type Scope } from '#shared/domain/caller.ts';
import { capital } from '../../../parts/words/code-words.ts';

type ScopeTexts = { short: string; name: string; allows: string };

/** Each scope in a column, in a sentence, and what it allows. */
export const scopeTexts: Record<Scope, ScopeTexts> = {
  'shipments:read': {
    short: 'read',
    name: 'read shipments',
    allows: 'Lists, records, events, exports, the change feed, carriers, and both MCP tools.',
  },
  'shipments:write': {
    short: 'write',
    name: 'register and change shipments',
    allows: 'Single registrations, batches and imports; refresh, stop, cancel, archive.',
  },
  'shipments:delete': {
    short: 'delete',
    name: 'remove shipments for good',
    allows: 'Removes shipments with all their data, and sets how long closed ones are kept. Can’t be undone.',
  },
  'events:write': {
    short: 'events',
    name: 'push events',
    allows: 'Adds events of your own sources to shipments, and voids them. Can’t register shipments.',
  },
  'shares:write': {
    short: 'shares',
    name: 'publish shipments',
    allows: 'Creates and revokes links to public pages of shipments.',
  },
  'webhooks:manage': { short: 'webhooks', name: 'manage webhooks', allows: 'Webhook endpoints.' },
  'carriers:manage': {
    short: 'carriers',
    name: 'manage carrier access',
    allows: 'Sets and removes your carrier credentials. Credentials can’t be read.',
  },
  'keys:manage': {
    short: 'keys',
    name: 'manage API keys',
    allows: 'Creates, rotates and revokes keys. A new key can’t have more scopes than this one.',
  },
};

/** `Read, write`, or `All`. An unknown scope is shown as it is. */
export function shortScopes(scopes: readonly string[]): string {
  if (grantableScopes.every((scope) => scopes.includes(scope))) return 'All';
  return capital(scopes.map((scope) => textsOf(scope)?.short ?? scope).join(', '));
}

/** `read shipments, register and change shipments` */
export function longScopes(scopes: readonly string[]): string {
  return scopes.map((scope) => textsOf(scope)?.name ?? scope).join(', ');
}

function textsOf(scope: string): ScopeTexts | undefined {
  return (scopeTexts as Record<string, ScopeTexts>)[scope];
}
