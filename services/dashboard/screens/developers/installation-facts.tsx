import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { ProblemNote } from '../../parts/page-states.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { numberLocale } from '../../parts/words/locale.ts';
import { useSession } from '../session/use-session.ts';

const refetchMs = 10_000;

const feedQuery = queryOptions({
  queryKey: ['feed', 'latest'],
  queryFn: () => call('listChanges', { query: { after: 'latest', limit: 1 } }),
  refetchInterval: refetchMs,
});

const links = [
  { to: '/docs', name: 'API reference', holds: 'Every operation, with examples' },
  { to: '/docs/openapi.json', name: 'OpenAPI document', holds: 'OpenAPI 3.1, for code generators' },
  { to: '/docs/mcp', name: 'MCP guide', holds: 'Setup for each client' },
  { to: '/docs/errors', name: 'Errors', holds: 'Cause and remedy for each code' },
  { to: '/llms.txt', name: 'llms.txt', holds: 'The documentation as Markdown' },
] as const;

/** Lists the addresses and limits that a program needs. */
export function InstallationFacts() {
  const { public_base_url: baseUrl, version } = useSession();
  const feed = useQuery(feedQuery);
  return (
    <aside
      aria-label="This installation"
      className="w-[400px] shrink-0 border-line border-l max-xl:w-auto max-xl:border-l-0 max-xl:border-b"
    >
      <section aria-label="Address" className="border-line border-b p-5 max-xl:px-4">
        <h2 className="mb-1 text-label text-t3">Base URL</h2>
        <div className="flex items-center gap-1">
          <code className="min-w-0 select-all break-all font-mono text-body">{baseUrl}/v1</code>
          <CopyButton text={`${baseUrl}/v1`} label="Copy base URL" iconOnly />
        </div>
        <p className="mt-1 text-label text-t3">Landfall {version}. Responses are JSON, errors follow RFC 9457.</p>
      </section>
      <section aria-labelledby="feed-title" className="border-line border-b p-5 max-xl:px-4">
        <h2 id="feed-title" className="mb-1 text-label text-t3">
          Change feed
        </h2>
        {feed.isError ? (
          <ProblemNote error={feed.error} retry={() => feed.refetch()} />
        ) : (
          <>
            <p className="text-headline font-semibold tracking-[-0.015em] tabular-nums">
              {feed.data === undefined ? (
                <Skeleton className="w-16" />
              ) : (
                feed.data.page.latest_position.toLocaleString(numberLocale())
              )}
            </p>
            <p className="text-label text-t3">
              {feed.data === undefined ? (
                <Skeleton className="w-40" />
              ) : feed.data.page.latest_position === 0 ? (
                'No changes yet.'
              ) : (
                `latest position; changes are kept from ${feed.data.page.oldest_position.toLocaleString(numberLocale())}`
              )}
            </p>
            <p className="mt-2 text-t2">
              Poll <code className="font-mono text-number">GET /v1/events?after=</code> with your last position. Each
              change appears exactly once.
            </p>
          </>
        )}
      </section>
      <nav aria-label="Documentation" className="p-5 max-xl:px-4">
        <h2 className="mb-1 text-label text-t3">Documentation</h2>
        <ul>
          {links.map(({ to, name, holds }) => (
            <li key={to} className="flex min-h-8 flex-wrap items-center gap-x-2">
              <a href={to} className="text-accent underline-offset-2 hover:underline">
                {name}
              </a>
              <span className="text-label text-t3">{holds}</span>
            </li>
          ))}
        </ul>
      </nav>
    </aside>
  );
}
