import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApiKey, type CreatedApiKey, rotateApiKey } from '../../api/landfall-client.ts';
import { queryClient } from '../../api/query-client.ts';
import { answerOf } from '../../api/request.ts';
import { Button } from '../../parts/button.tsx';
import { NativeSelect } from '../../parts/native-select.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { keysQuery, ofAccount } from './keys-query.ts';

const overlaps = [
  { hours: 0, name: 'ends at once' },
  { hours: 1, name: 'works for 1 hour more' },
  { hours: 24, name: 'works for 24 hours more' },
  { hours: 168, name: 'works for 7 days more' },
] as const;

/** A new secret in the place of the old one, which goes on for a while so that nothing stands still. */
export function RotateForm({ apiKey, onCreated }: { apiKey: ApiKey; onCreated: (key: CreatedApiKey) => void }) {
  const [hours, setHours] = useState(24);
  const rotating = useMutation({
    mutationFn: () =>
      answerOf(rotateApiKey({ apiKeyId: apiKey.api_key_id, rotateApiKeyBody: { overlap_hours: hours } }, ofAccount)),
    onSuccess: (key) => {
      onCreated(key);
      return queryClient.invalidateQueries({ queryKey: keysQuery.queryKey });
    },
  });
  return (
    <section aria-labelledby="rotate-title" className="border-line border-b p-5">
      <h3 id="rotate-title" className="font-semibold text-section">
        Rotate
      </h3>
      <p className="mt-1 text-t2">
        Makes a key with the same name and scopes. Put it in place, then let the old one end.
      </p>
      <div className="mt-3 flex flex-wrap items-end gap-2">
        <NativeSelect
          label="The old key"
          className="w-56"
          value={hours}
          onChange={(event) => setHours(Number(event.target.value))}
        >
          {overlaps.map((overlap) => (
            <option key={overlap.hours} value={overlap.hours}>
              {overlap.name}
            </option>
          ))}
        </NativeSelect>
        <Button className="h-8" busy={rotating.isPending} onClick={() => rotating.mutate()}>
          {rotating.isPending ? 'Rotating' : 'Rotate key'}
        </Button>
      </div>
      {rotating.isError && <ProblemNote error={rotating.error} className="mt-3" />}
    </section>
  );
}
