import { arrivalAnalyticsCsv, trackingAnalyticsCsv } from '#shared/contract/analytics/analytics-csv.ts';
import { withDays } from '#shared/contract/analytics/analytics-query.ts';
import { toWireArrivalAnalytics } from '#shared/contract/analytics/arrival-wire.ts';
import { toWireTrackingAnalytics } from '#shared/contract/analytics/tracking-wire.ts';
import { readArrivalReport, readTrackingReport } from '#shared/core/analytics/read-reports.ts';
import { answer, type Routes } from '../plugins/serve.ts';

export const analyticsRoutes = {
  async getArrivalAnalytics({ ctx, caller, query: { format, ...asked } }) {
    const input = { ...asked, scope: withDays(asked.scope, ctx.core.now()) };
    const report = toWireArrivalAnalytics(await readArrivalReport(ctx.core, caller, input), input);
    return format === 'csv' ? answerCsv('arrivals', arrivalAnalyticsCsv(report)) : report;
  },

  async getTrackingAnalytics({ ctx, caller, query }) {
    const scope = withDays(query.scope, ctx.core.now());
    const report = toWireTrackingAnalytics(await readTrackingReport(ctx.core, caller, scope), scope);
    return query.format === 'csv' ? answerCsv('tracking', trackingAnalyticsCsv(report)) : report;
  },
} satisfies Partial<Routes>;

function answerCsv(name: string, text: string) {
  return answer(200, Buffer.from(text), {
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${name}.csv"`,
    'cache-control': 'private, no-store',
  });
}
