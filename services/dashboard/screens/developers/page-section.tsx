import { type ReactNode, useId } from 'react';

type Props = {
  /** An anchor for links. */
  id?: string;
  title: string;
  lead: ReactNode;
  children: ReactNode;
};

/** A section of the page: title, one or two sentences, content. */
export function PageSection({ id: anchor, title, lead, children }: Props) {
  const id = useId();
  return (
    <section id={anchor} aria-labelledby={id} className="border-line border-b px-4 py-5">
      <h2 id={id} className="font-semibold text-section">
        {title}
      </h2>
      <p className="mt-0.5 max-w-2xl text-t2">{lead}</p>
      <div className="mt-3 max-w-3xl">{children}</div>
    </section>
  );
}
