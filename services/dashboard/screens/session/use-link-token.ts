import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { linkTokenOf } from './link-token.ts';

/** Takes the secret out of the address at once: history, bookmarks and screenshots shall not keep it. */
export function useLinkToken(): string | null {
  const { history } = useRouter();
  const [token] = useState(() => linkTokenOf(window.location.hash));
  useEffect(() => {
    if (window.location.hash !== '') history.replace(window.location.pathname);
  }, [history]);
  return token;
}
