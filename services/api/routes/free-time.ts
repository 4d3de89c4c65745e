import { termsCsv } from '#shared/contract/free-time/terms-csv.ts';
import { toWirePreview, toWireTerms } from '#shared/contract/free-time/terms-wire.ts';
import { previewFreeTimeTerms } from '#shared/core/free-time/preview-terms.ts';
import { getFreeTimeTerms, replaceFreeTimeTerms } from '#shared/core/free-time/replace-terms.ts';
import { entityTag, holdsTag } from '../http/answer-headers.ts';
import { answer, type Routes } from '../plugins/serve.ts';

export const freeTimeRoutes = {
  async getFreeTimeTerms({ ctx, caller, query: { format } }) {
    const stored = await getFreeTimeTerms(ctx.core, caller);
    const headers = { etag: termsTag(stored.version), 'cache-control': 'private, no-cache' };
    if (format === 'json') return answer(200, toWireTerms(stored), headers);
    return answer(200, Buffer.from(termsCsv(stored.terms)), {
      ...headers,
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="free-time-terms.csv"',
    });
  },

  async replaceFreeTimeTerms({ ctx, caller, body: terms, request }) {
    const ifMatch = request.headers['if-match'];
    const isExpected = (version: number) => ifMatch === undefined || holdsTag(ifMatch, termsTag(version));
    const stored = await replaceFreeTimeTerms(ctx.core, caller, { terms, isExpected });
    return answer(200, toWireTerms(stored), { etag: termsTag(stored.version) });
  },

  async previewFreeTimeTerms({ ctx, caller, body: terms }) {
    return toWirePreview(await previewFreeTimeTerms(ctx.core, caller, terms));
  },
} satisfies Partial<Routes>;

function termsTag(version: number): string {
  return entityTag(`free-time-terms ${version}`);
}
