import { Chip } from '../../parts/chip.tsx';
import { useSearchState } from '../../parts/hooks/use-search-state.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { useAccount } from '../session/use-session.ts';
import { FilePanel } from './file-panel.tsx';
import { PastePanel } from './paste-panel.tsx';

/** Adds shipments from pasted numbers or a file. */
export function AddingPage() {
  const [from, setFrom] = useSearchState('from');
  const mayWrite = useAccount().role !== 'viewer';
  return (
    <div className="flex flex-col lg:h-full">
      <PageHead title="Track shipments">
        <Chip active={from !== 'file'} onClick={() => setFrom('')}>
          Numbers
        </Chip>
        <Chip active={from === 'file'} onClick={() => setFrom('file')}>
          File
        </Chip>
      </PageHead>
      {from === 'file' ? <FilePanel mayWrite={mayWrite} /> : <PastePanel mayWrite={mayWrite} />}
    </div>
  );
}
