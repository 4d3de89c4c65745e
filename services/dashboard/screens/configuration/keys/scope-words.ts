import type { Scope } from '#shared/domain/caller.ts';

type Words = { short: string; name: string; allows: string };

/** Scopes as people read them: in a column, as a sentence, and what they allow. */
const words: Record<Scope, Words> = {
  'shipments:read': {
    short: 'read',
    name: 'read shipments',
    allows: 'Lists, records, events, exports, the change feed, carriers, and both tools over MCP.',
  },
  'shipments:write': {
    short: 'write',
    name: 'register and change shipments',
    allows: 'One by one, as a batch or an import; refresh, stop, cancel, archive.',
  },
  'webhooks:manage': { short: 'webhooks', name: 'manage webhooks', allows: 'Where changes are sent to.' },
  'carriers:manage': {
    short: 'carriers',
    name: 'manage carrier access',
    allows: 'Sets and removes your credentials at carriers. Nothing reads them back.',
  },
  'keys:manage': {
    short: 'keys',
    name: 'manage API keys',
    allows: 'Makes, rotates and revokes keys, none with more than it has itself.',
  },
};

/** Those that can be given: of webhooks there are none yet. */
export const offeredScopes = [
  'shipments:read',
  'shipments:write',
  'carriers:manage',
  'keys:manage',
] as const satisfies readonly Scope[];

export type OfferedScope = (typeof offeredScopes)[number];

export function scopeWords(scope: Scope): Words {
  return words[scope];
}

/** `Read, write`, or `Everything`; a scope that this page does not know is shown as it is. */
export function shortScopes(scopes: readonly string[]): string {
  if (Object.keys(words).every((scope) => scopes.includes(scope))) return 'Everything';
  return capital(scopes.map((scope) => known(scope)?.short ?? scope).join(', '));
}

/** `read shipments, register and change shipments` */
export function longScopes(scopes: readonly string[]): string {
  return scopes.map((scope) => known(scope)?.name ?? scope).join(', ');
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function known(scope: string): Words | undefined {
  return (words as Record<string, Words>)[scope];
}
