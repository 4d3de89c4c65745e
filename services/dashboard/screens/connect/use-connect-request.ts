import { useState } from 'react';

/** The signed request of the app, or the error for which there is none. */
export type ConnectRequest = { request: string | null; error: string | null };

/**
 * Reads them from the fragment, which browsers do not send. They stay there, so that a reload shows the same page: the
 * request opens nothing without the session of the person.
 */
export function useConnectRequest(): ConnectRequest {
  const [asked] = useState(() => connectRequestOf(window.location.hash));
  return asked;
}

export function connectRequestOf(fragment: string): ConnectRequest {
  const params = new URLSearchParams(fragment.replace(/^#/, ''));
  return { request: params.get('request') || null, error: params.get('error') };
}
