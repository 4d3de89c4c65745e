import { useState } from 'react';
import type { CreateImportAnswer } from '../../api/landfall-client.ts';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { WarningMark } from '../../parts/warning-mark.tsx';
import { downloadErrors } from './import-query.ts';

/** What became of the rows, or would become of them; the refused ones as a file. */
export function ImportCounts({ found }: { found: CreateImportAnswer }) {
  const [error, setError] = useState<unknown>(null);
  const { dry_run: isDry, created, existing, failed, import_id: importId, format } = found;
  const facts = [
    [created, isDry ? 'would be registered' : 'registered'],
    [existing, 'there already'],
    [failed, isDry ? 'would be refused' : 'refused'],
  ] as const;
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
      {facts.map(([count, words], index) => (
        <p key={words} className="flex items-baseline gap-2">
          {index === 2 && count > 0 && (
            <span className="self-center">
              <WarningMark severity="warning" />
            </span>
          )}
          <span className="text-count font-semibold tabular-nums tracking-[-0.015em]">
            {count.toLocaleString('en')}
          </span>
          <span className="text-t2">{words}</span>
        </p>
      ))}
      {failed > 0 && (
        <Button onClick={() => downloadErrors(importId, format).then(() => setError(null), setError)}>
          <Icon name="download" size={14} />
          Rows with the reasons
        </Button>
      )}
      {error !== null && <ProblemNote error={error} />}
    </div>
  );
}
