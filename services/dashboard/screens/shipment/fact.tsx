import { type ReactNode, useId } from 'react';
import { useGlow } from './use-glow.ts';

/** One part of the facts column, under a hairline; glows when what it shows changes. */
export function Fact({
  title,
  aside,
  value,
  children,
}: {
  title: string;
  aside?: ReactNode;
  value: unknown;
  children: ReactNode;
}) {
  const id = useId();
  const ref = useGlow<HTMLElement>(value);
  return (
    <section
      ref={ref}
      aria-labelledby={id}
      className="border-line border-b px-4 py-3 [overflow-wrap:anywhere] last:border-b-0 print:break-inside-avoid"
    >
      <div className="mb-1.5 flex items-baseline justify-between gap-3">
        <h2 id={id} className="text-label text-t3">
          {title}
        </h2>
        {aside !== undefined && <span className="text-label text-t2 tabular-nums">{aside}</span>}
      </div>
      {children}
    </section>
  );
}
