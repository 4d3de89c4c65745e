import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ProblemError } from '../../api/problem-error.ts';

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
