import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Role } from '#shared/domain/people/role.ts';
import { ProblemError } from '../../api/problem-error.ts';
import { ask } from '../../api/request.ts';

/** What a link invites to. `known`: somebody signs in with that address already, and joins with that password. */
export type InvitedTo = { account_name: string; email: string; role: Role; known: boolean };

/** Whether the link makes the first user. */
export async function checkClaim(token: string): Promise<boolean> {
  return (await ask<{ valid: boolean }>('POST', '/claim/check', { token })).valid;
}

/** Makes the first user, who is signed in then. */
export function claim(body: { token: string; name: string; email: string; password: string }): Promise<unknown> {
  return ask('POST', '/claim', body);
}

export function readInvite(token: string): Promise<InvitedTo> {
  return ask<InvitedTo>('POST', '/invite/check', { token });
}

/** Makes the invited user, who joins and is signed in; without name and password, who is signed in joins. */
export function acceptInvite(body: { token: string; name?: string; password?: string }): Promise<unknown> {
  return ask('POST', '/invite', body);
}

/** Who chooses a new password by this link. */
export function checkReset(token: string): Promise<{ name: string; email: string }> {
  return ask('POST', '/reset/check', { token });
}

/** Changes the password, ends every session and signs in. */
export function resetPassword(body: { token: string; password: string }): Promise<unknown> {
  return ask('POST', '/reset', body);
}

export function signInWith(body: { email: string; password: string }): Promise<unknown> {
  return ask('POST', '/auth/sign-in/email', body);
}

/** Takes the secret out of the address at once: history, bookmarks and screenshots shall not keep it. */
export function useLinkToken(): string | null {
  const { history } = useRouter();
  const [token] = useState(() => linkTokenOf(window.location.hash));
  useEffect(() => {
    if (window.location.hash !== '') history.replace(window.location.pathname);
  }, [history]);
  return token;
}

/** The secret of a link, from the fragment of its address (`#token=…`), which is in no request for the page and so in no log of one; null without one. */
export function linkTokenOf(fragment: string): string | null {
  const token = new URLSearchParams(fragment.replace(/^#/, '')).get('token');
  return token === null || token === '' ? null : token;
}

/** Whether a link opens nothing: used, expired, withdrawn, or never one. */
export function isUsedUp(error: unknown): boolean {
  return error instanceof ProblemError && error.code === 'link_not_valid';
}
