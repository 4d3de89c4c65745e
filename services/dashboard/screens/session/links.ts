import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ProblemError } from '../../api/problem-error.ts';

/** Reads the token of the link and removes it from the URL, so that history and bookmarks do not store it. */
export function useLinkToken(): string | null {
  const { history } = useRouter();
  const [token] = useState(() => linkTokenOf(window.location.hash));
  useEffect(() => {
    if (window.location.hash !== '') history.replace(window.location.pathname);
  }, [history]);
  return token;
}

/** The token in the URL fragment (`#token=…`), which browsers do not send and servers do not log; null without one. */
export function linkTokenOf(fragment: string): string | null {
  const token = new URLSearchParams(fragment.replace(/^#/, '')).get('token');
  return token === null || token === '' ? null : token;
}

/** True for a link that is used, expired, revoked or incomplete. */
export function isInvalidLink(error: unknown): boolean {
  return error instanceof ProblemError && error.code === 'link_not_valid';
}
