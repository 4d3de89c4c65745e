import { ProblemError } from '../../api/problem-error.ts';

/** Whether a link opens nothing: used, expired, withdrawn, or never one. */
export function isUsedUp(error: unknown): boolean {
  return error instanceof ProblemError && error.code === 'link_not_valid';
}
