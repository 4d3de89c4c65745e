import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { buttonClasses } from '../../parts/button.tsx';
import { EntryFrame } from './entry-frame.tsx';

/** A link that opens nothing: used, expired, replaced or cut off. */
export function UsedLink({ title, children }: { title: string; children: ReactNode }) {
  return (
    <EntryFrame title={title}>
      <div className="text-body text-t2">{children}</div>
      <Link to="/sign-in" className={`mt-6 ${buttonClasses('primary')}`}>
        Go to sign in
      </Link>
    </EntryFrame>
  );
}
