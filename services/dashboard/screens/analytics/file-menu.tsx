import { Menu } from '@base-ui/react/menu';
import { useState } from 'react';
import { send } from '../../api/call.ts';
import { ProblemError, problemOf } from '../../api/problem-error.ts';
import { saveFile } from '../../api/save-file.ts';
import { buttonClasses } from '../../parts/button.tsx';
import { menuItemClasses, PopupMenu } from '../../parts/inputs/menu.tsx';
import { type AnalyticsScope, fileQuery } from './analytics-scope.ts';

const tables = [
  { name: 'By carrier', by: 'carrier' },
  { name: 'By lane, ports', by: 'lane' },
  { name: 'By lane, countries', by: 'country_lane' },
  { name: 'Tracking', by: null },
] as const;

/** Saves one of the tables as CSV. */
export function FileMenu({ scope }: { scope: AnalyticsScope }) {
  const [problem, setProblem] = useState<string | null>(null);
  const save = async (by: (typeof tables)[number]['by']) => {
    setProblem(null);
    try {
      const id = by === null ? 'getTrackingAnalytics' : 'getArrivalAnalytics';
      const response = await send(id, { query: fileQuery(scope, by) });
      if (!response.ok) throw problemOf(response.status, await response.json().catch(() => null), response.headers);
      saveFile(
        await response.blob(),
        `${by === null ? 'tracking' : `arrivals-by-${by}`}-${scope.from}-${scope.to}.csv`,
      );
    } catch (error) {
      setProblem(error instanceof ProblemError ? error.message : 'The file could not be saved. Try again.');
    }
  };
  return (
    <>
      {problem !== null && (
        <span role="alert" className="text-label text-red">
          {problem}
        </span>
      )}
      <PopupMenu className={buttonClasses()} trigger="CSV">
        {tables.map(({ name, by }) => (
          <Menu.Item key={name} className={menuItemClasses} onClick={() => void save(by)}>
            {name}
          </Menu.Item>
        ))}
      </PopupMenu>
    </>
  );
}
