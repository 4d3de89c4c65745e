import type { ReactNode } from 'react';
import { Icon } from '../../parts/icon.tsx';
import { usePageTitle } from '../../parts/use-page-title.ts';
import { WarningMark } from '../../parts/warning-mark.tsx';
import { isPlainHttp } from './plain-http.ts';

/** The frame of the pages before the shell: whose door this is, what is asked, and nothing else. */
export function EntryFrame({ title, lead, children }: { title: string; lead?: ReactNode; children?: ReactNode }) {
  usePageTitle(title);
  return (
    <main className="flex min-h-dvh flex-col items-center bg-sunk px-4 py-[12vh] max-sm:bg-bg max-sm:py-8">
      <div className="w-full max-w-[400px] rounded-control border border-line bg-bg p-8 max-sm:border-transparent max-sm:p-0">
        <p className="flex items-center gap-2 font-semibold text-section">
          <Icon name="landfall" size={22} />
          Landfall
        </p>
        <h1 className="mt-6 text-headline font-semibold tracking-[-0.015em]">{title}</h1>
        {lead && <div className="mt-1 text-body text-t2">{lead}</div>}
        {isPlainHttp(window.location) && (
          <p className="mt-4 flex gap-2 text-body text-t2">
            <span className="mt-[3px]">
              <WarningMark severity="warning" />
            </span>
            <span>
              <span className="font-medium text-t1">This page came over plain http.</span> What you type can be read on
              its way. Open it over https, or on the machine itself.
            </span>
          </p>
        )}
        {children && <div className="mt-6">{children}</div>}
      </div>
      <p className="mt-4 text-label text-t3">
        <a href="/docs" className="underline-offset-2 hover:text-t1 hover:underline">
          Documentation of the API
        </a>
      </p>
    </main>
  );
}
