import { ProblemError } from '../../api/problem-error.ts';

/** Why nobody came in, in words that say what to do. */
export function signInWords(error: unknown): string {
  if (!(error instanceof ProblemError)) return 'This page has a fault. Reload it.';
  if (error.status === 0) return 'Landfall cannot be reached from here. Check the network, then try again.';
  if (error.status === 401) return 'This e-mail address and this password do not belong together.';
  if (error.status === 429) return `${sentence(error.message)} Failed sign-ins are counted by address.`;
  return sentence(error.message);
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
