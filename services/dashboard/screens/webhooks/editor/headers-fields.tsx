import { maxHeaders } from '#shared/domain/webhooks/endpoint.ts';
import { Button, IconButton } from '../../../parts/button.tsx';
import { Icon } from '../../../parts/icon.tsx';
import type { EndpointDraft, HeaderDraft } from './endpoint-draft.ts';

type Props = { draft: EndpointDraft; change: (draft: EndpointDraft) => void };

const inputClasses =
  'h-8 min-w-0 rounded-control border border-line2 bg-bg px-2.5 font-mono text-number placeholder:text-t3';

/** Headers that are sent with each delivery. Stored values can be replaced, but not read. */
export function HeadersFields({ draft, change }: Props) {
  const { headers, removed } = draft;
  const set = (key: number, part: Partial<HeaderDraft>) =>
    change({ ...draft, headers: headers.map((header) => (header.key === key ? { ...header, ...part } : header)) });
  const remove = ({ key, name, isStored }: HeaderDraft) =>
    change({
      ...draft,
      headers: headers.filter((header) => header.key !== key),
      removed: isStored ? [...removed, name] : removed,
    });
  const add = () => {
    const key = Math.max(-1, ...headers.map((header) => header.key)) + 1;
    change({ ...draft, headers: [...headers, { key, name: '', value: '', isStored: false }] });
  };
  return (
    <fieldset>
      <legend className="mb-1.5 text-label text-t2">Custom headers</legend>
      <p className="mb-2 text-label text-t3">
        Sent with each delivery, for example to pass a gateway. Values are encrypted and can’t be read again.
      </p>
      {headers.map((header, index) => (
        <div key={header.key} className="mb-2 grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] gap-2">
          <input
            aria-label={`Name of header ${index + 1}`}
            placeholder="X-Environment"
            className={inputClasses}
            value={header.name}
            readOnly={header.isStored}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => set(header.key, { name: target.value })}
          />
          <input
            aria-label={`Value of ${header.name || `header ${index + 1}`}`}
            placeholder={header.isStored ? 'Stored. Type to replace it.' : 'Value'}
            className={inputClasses}
            value={header.value}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => set(header.key, { value: target.value })}
          />
          <IconButton
            icon="close"
            size={12}
            label={`Remove ${header.name || `header ${index + 1}`}`}
            onClick={() => remove(header)}
          />
        </div>
      ))}
      <Button disabled={headers.length >= maxHeaders} onClick={add}>
        <Icon name="plus" size={14} />
        Add a header
      </Button>
    </fieldset>
  );
}
