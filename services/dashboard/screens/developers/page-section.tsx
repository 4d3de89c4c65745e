import { type ReactNode, useId } from 'react';

/** A part of the page: its title, one sentence, and what it holds. */
export function PageSection({ title, lead, children }: { title: string; lead: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="border-line border-b px-4 py-5">
      <h2 id={id} className="font-semibold text-section">
        {title}
      </h2>
      <p className="mt-0.5 max-w-2xl text-t2">{lead}</p>
      <div className="mt-3 max-w-3xl">{children}</div>
    </section>
  );
}
