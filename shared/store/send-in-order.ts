import type { Tx } from './open-store.ts';

/** Sends the statements of one write. It may await an answer only after it has sent all of them. */
export type Write = (tx: Tx) => Promise<unknown>;

export type SendWrites = (writes: readonly Write[]) => Promise<void>;

/**
 * Sends writes over one connection, each without waiting for the answers to those before, and waits for all of them.
 * PostgreSQL runs them in this order, and none after the first one that fails, because the transaction has failed by
 * then. A write that fails before it sends anything stops the writes after it, too. Throws the first error.
 */
export async function sendInOrder(tx: Tx, writes: readonly Write[]): Promise<void> {
  const running: Promise<unknown>[] = [];
  let stopped = false;
  for (const write of writes) {
    const sent = Promise.withResolvers<void>();
    const written = write(whileUnanswered(tx, sent.resolve));
    // A write of nothing ends without a statement.
    const started = Promise.race([sent.promise, written]);
    running.push(written);
    stopped = await started.then(
      () => false,
      () => true,
    );
    if (stopped) break;
  }
  for (const outcome of await Promise.allSettled(running)) if (outcome.status === 'rejected') throw outcome.reason;
}

/**
 * The connection for one write. It refuses a statement after the first answer: the writes behind may have run by then.
 */
function whileUnanswered(tx: Tx, onSent: () => void): Tx {
  let isAnswered = false;
  const query = (...statement: Parameters<Tx['query']>) => {
    if (isAnswered) throw new Error('a write sent a statement after the answer to an earlier one');
    const answer = (tx.query as (...of: unknown[]) => Promise<unknown>)(...statement);
    const note = () => {
      isAnswered = true;
    };
    answer.then(note, note);
    onSent();
    return answer;
  };
  return new Proxy(tx, { get: (target, name) => (name === 'query' ? query : Reflect.get(target, name)) });
}
