import { useQuery } from '@tanstack/react-query';
import { PageHead } from '../../parts/page-head.tsx';
import { EmptyState, ErrorState } from '../../parts/page-states.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { dayWords } from '../../parts/time-words.ts';
import { numberLocale } from '../../parts/words/locale.ts';
import { countWords } from '../../parts/words/measure-words.ts';
import { type ArrivalReport, arrivalQuery, trackingQuery, useAnalyticsScope } from './analytics-scope.ts';
import { ArrivalNumbers } from './arrival-numbers.tsx';
import { ArrivalTable } from './arrival-table.tsx';
import { CauseTable } from './cause-table.tsx';
import { FileMenu } from './file-menu.tsx';
import { ScopeBar } from './scope-bar.tsx';
import { TrackingTable } from './tracking-table.tsx';
import { TrendChart } from './trend-chart.tsx';

/** Shows arrivals, punctuality, transit times and tracking health for a period. Every number links to its list. */
export function AnalyticsPage() {
  const state = useAnalyticsScope();
  const { scope, setLanes, setCarrier } = state;
  const carriers = useQuery(arrivalQuery(scope, 'carrier'));
  const lanes = useQuery(arrivalQuery(scope, scope.lanes));
  const tracking = useQuery(trackingQuery(scope));
  const report = carriers.data;
  const isEmpty = report !== undefined && report.total.arrivals === 0;
  return (
    <div className="flex h-full flex-col overflow-auto">
      <PageHead title="Analytics" count={report && `${dayWords(report.from)} – ${dayWords(report.to)}`}>
        <FileMenu scope={scope} />
      </PageHead>
      <ScopeBar state={state} carriers={tracking.data?.groups ?? []} />
      {report === undefined && carriers.error != null ? (
        <ErrorState error={carriers.error} retry={() => void carriers.refetch()} />
      ) : (
        <>
          <p aria-live="polite" className="min-h-9 border-line border-b px-4 py-2 text-body text-t2">
            {report === undefined ? <Skeleton className="w-80" /> : <Summary report={report} />}
          </p>
          {!isEmpty && (
            <>
              <ArrivalNumbers total={report?.total} />
              <TrendChart points={report?.total.trend} period={scope.trend} setPeriod={state.setTrend} />
              <ArrivalTable title="By carrier" by="carrier" query={carriers} pick={setCarrier} />
              <ArrivalTable title="By lane" by={scope.lanes} query={lanes} setBy={setLanes} />
              <CauseTable total={report?.total} />
            </>
          )}
          {isEmpty && (
            <EmptyState title="No arrivals in this period">
              A shipment counts on the day it arrives, parcels and trucks on the day of delivery. Choose a longer period
              or remove a filter.
            </EmptyState>
          )}
        </>
      )}
      <TrackingTable query={tracking} />
    </div>
  );
}

/** `12 arrivals, 3 without a promised time`, and what is not known or not counted yet. */
function Summary({ report: { total, complete, as_of } }: { report: ArrivalReport }) {
  const parts = [
    countWords(total.arrivals, ['arrival', 'arrivals']),
    ...(total.unknown > 0 ? [`${total.unknown.toLocaleString(numberLocale())} without a promised time`] : []),
    ...(total.transit.unknown > 0
      ? [`${total.transit.unknown.toLocaleString(numberLocale())} without a known departure`]
      : []),
  ];
  const known = total.arrivals - total.unknown;
  return (
    <>
      {parts.join(', ')}.{known > 0 && known < fewArrivals && ' Not enough data for a trend.'}
      {as_of === null && ' Nothing has been counted yet. Figures appear within a minute.'}
      {as_of !== null && !complete && ' Earlier shipments are still being counted.'}
    </>
  );
}

const fewArrivals = 10;
