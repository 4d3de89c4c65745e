import { randomBytes } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { authenticateKey } from '#shared/core/keys/authenticate-key.ts';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { apiKeyBody, formatApiKey } from '#shared/domain/keys/api-key.ts';
import { openTestCore } from '#test/support/core-context.ts';

it('looks up a crowd of unknown keys in a few statements, and finds a good one among them', async () => {
  const core = await openTestCore();
  try {
    const { accountId } = await core.newCaller();
    const { secret } = await createApiKey(core.ctx, accountId, { name: 'good', test: false });
    const statements = vi.spyOn(core.store.system, 'query');
    const unknown = Array.from({ length: 600 }, () => formatApiKey(apiKeyBody(randomBytes), false));
    const answers = await Promise.allSettled(
      [...unknown.slice(0, 300), secret, ...unknown.slice(300)].map((key) => authenticateKey(core.ctx, key)),
    );
    expect(answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.accountId] : []))).toEqual([
      accountId,
    ]);
    expect(statements.mock.calls.length).toBeLessThan(10);
  } finally {
    await core.close();
  }
});
