import { Link, useLocation } from '@tanstack/react-router';
import { Icon } from '../parts/icon.tsx';
import { Badge } from './rail.tsx';
import { isInside, type Screen } from './screens.ts';

const tabClasses = 'flex flex-1 flex-col items-center justify-center gap-1 text-axis text-t2';

/** The rail of a phone. What does not fit is behind "More". */
export function TabBar({
  screens,
  failures,
  openMore,
}: {
  screens: readonly Screen[];
  failures: number;
  openMore: () => void;
}) {
  const { pathname } = useLocation();
  return (
    <nav aria-label="Screens" className="hidden h-16 shrink-0 border-line border-t bg-bg max-sm:flex print:hidden">
      {screens.map(({ to, name, icon }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: to === '/', includeSearch: false }}
          {...(isInside(to, pathname) ? { 'aria-current': 'page' as const } : {})}
          className={`${tabClasses} aria-[current=page]:font-medium aria-[current=page]:text-accent`}
        >
          <span className="relative">
            <Icon name={icon} />
            {name === 'Failures' && failures > 0 && (
              <span className="absolute -top-1 -right-3">
                <Badge count={failures} />
              </span>
            )}
          </span>
          {name}
        </Link>
      ))}
      <button type="button" onClick={openMore} aria-haspopup="dialog" className={tabClasses}>
        <Icon name="more" />
        More
      </button>
    </nav>
  );
}
