import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ErrorEntry, errorCatalogue } from '#shared/contract/error-catalogue.ts';
import { PageSection } from './page-section.tsx';

/** The error codes of the API. */
export function ErrorCodes() {
  const { code = '' } = useSearch({ strict: false }) as { code?: string };
  const navigate = useNavigate();
  const found = findErrors(errorCatalogue, code);
  return (
    <PageSection
      title="Error codes"
      lead={
        <>
          Errors are problem documents (RFC 9457) with a stable <code className="font-mono text-number">code</code>. Use
          the <code className="font-mono text-number">request_id</code> to find the request in logs and traces.
        </>
      }
    >
      <input
        type="search"
        aria-label="Find an error code"
        placeholder="Find a code"
        value={code}
        onChange={(event) =>
          navigate({
            to: '/developers',
            search: event.target.value === '' ? {} : { code: event.target.value },
            replace: true,
            resetScroll: false,
          })
        }
        className="mb-3 h-8 w-64 rounded-control border border-line2 bg-bg px-2.5 text-body placeholder:text-t3 max-sm:w-full"
      />
      <ul className="border-line border-t">
        {found.map(([name, { title, cause, remedy, retryable }]) => (
          <li key={name} className="border-line border-b">
            <details className="group" open={found.length <= 2}>
              <summary className="flex min-h-8 cursor-pointer flex-wrap items-center gap-x-3 py-1 hover:bg-hover">
                <code className="w-56 font-mono text-number max-sm:w-full">{name}</code>
                <span className="min-w-0 flex-1 text-t2">{title}</span>
                {retryable && <span className="text-label text-t3">retryable</span>}
              </summary>
              <div className="max-w-2xl pb-3 text-t2 sm:pl-[236px]">
                <p>{cause.replaceAll('`', '')}</p>
                <p className="mt-1 text-t1">{remedy.replaceAll('`', '')}</p>
              </div>
            </details>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="py-3 text-t2">No matching error codes.</p>}
    </PageSection>
  );
}

/** The entries whose code or title contains the text, in the order of the catalogue. */
export function findErrors(catalogue: Readonly<Record<string, ErrorEntry>>, sought: string): [string, ErrorEntry][] {
  const text = sought.trim().toLowerCase();
  return Object.entries(catalogue).filter(
    ([code, { title }]) => code.includes(text.replaceAll(' ', '_')) || title.toLowerCase().includes(text),
  );
}
