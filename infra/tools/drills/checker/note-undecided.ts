import { type Answer, type Failure, isAnswer } from './api-client.ts';
import { type Ledger, maxFailures } from './ledger.ts';

/**
 * Counts an outcome that decides nothing. 503, and 409 while the same Idempotency-Key is still running, name when to
 * retry. Any other answer is a finding.
 */
export function noteUndecided(ledger: Ledger, outcome: Answer | Failure, what: string): void {
  if (!isAnswer(outcome)) {
    ledger.count(outcome.failure);
    if (ledger.failures.length < maxFailures) ledger.failures.push(`${what}: ${outcome.message}`);
    return;
  }
  ledger.count(String(outcome.status));
  const { status, body, headers } = outcome;
  const isForNow = status === 503 || (status === 409 && body?.code === 'idempotency_in_progress');
  if (!isForNow) ledger.find('answer', `${what}: ${status} ${body?.code ?? ''} ${body?.detail ?? ''}`);
  else if (headers.get('retry-after') === null)
    ledger.find('answer', `${what}: ${status} ${body?.code} without Retry-After`);
}
