import type { WireOperations } from './operations-types.ts';

/** What waits in the queues; only those in which something does. */
export function QueueTable({ queues }: Pick<WireOperations, 'queues'>) {
  const busy = queues?.filter(({ waiting, active, delayed, failed }) => waiting + active + delayed + failed > 0) ?? [];
  return (
    <section aria-label="Queues" className="border-line border-t">
      <div className="flex min-h-10 items-center gap-3 border-line border-b px-4">
        <h2 className="font-semibold text-section">Queues</h2>
        <span className="text-label text-t3">
          {queues === null
            ? 'do not answer: nothing is lost, refreshes wait'
            : busy.length === 0
              ? 'all are empty'
              : `${busy.length} busy`}
        </span>
      </div>
      {busy.length > 0 && (
        <table className="w-full border-collapse text-body">
          <thead>
            <tr className="h-8 border-line border-b text-right text-label text-t3">
              <th scope="col" className="pl-4 text-left font-normal">
                Queue
              </th>
              {['Waiting', 'Active', 'Delayed', 'Failed'].map((head) => (
                <th key={head} scope="col" className="w-24 pr-4 font-normal max-sm:w-auto">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {busy.map(({ connector, waiting, active, delayed, failed }) => (
              <tr key={connector} className="h-8 border-line border-b text-right tabular-nums hover:bg-hover">
                <th scope="row" className="pl-4 text-left font-normal">
                  {connector}
                </th>
                {[waiting, active, delayed, failed].map((count, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: four columns in their order
                  <td key={index} className={`pr-4 ${index === 3 && count > 0 ? 'text-red' : 'text-t2'}`}>
                    {count.toLocaleString('en')}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
