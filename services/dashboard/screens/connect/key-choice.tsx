import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call, ofAccount } from '../../api/call.ts';
import type { WireApiKey } from '../../api/wire.ts';
import { Button } from '../../parts/button.tsx';
import { useNow } from '../../parts/hooks/use-now.ts';
import { NativeSelect } from '../../parts/inputs/select.tsx';
import { ProblemNote } from '../../parts/page-states.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { endWords, isUsableKey } from '../configuration/keys/key-state.ts';
import { readKeys } from '../configuration/keys/keys-query.ts';

type Props = {
  account: string;
  appName: string;
  value: string | null;
  choose: (keyId: string | null) => void;
};

/** The value of the choice that makes a key. No id of a key looks like it. */
const newKey = 'new';

/** The keys of the account that can read shipments, or a new one that can do nothing else. */
export function KeyChoice({ account, appName, value, choose }: Props) {
  const now = useNow();
  const keys = useQuery({ queryKey: ['connect-keys', account], queryFn: readKeys });
  const usable = keys.data?.filter((key) => isUsableKey(key, now) && key.scopes.includes('shipments:read'));
  const [isNew, setNew] = useState(false);
  const creating = useMutation({
    mutationFn: () =>
      call(
        'createApiKey',
        // Its secret is shown to nobody: the app gets tokens of its own.
        { body: { name: `${appName} (connected app)`.slice(0, 200), scopes: ['shipments:read'], test: false } },
        ofAccount,
      ),
    onSuccess: async ({ api_key_id: created }) => {
      await keys.refetch();
      setNew(false);
      choose(created);
    },
  });
  const none = usable?.length === 0;
  useEffect(() => {
    if (none) setNew(true);
  }, [none]);
  if (keys.isError) return <ProblemNote error={keys.error} retry={() => keys.refetch()} />;
  if (usable === undefined)
    return (
      <div role="status" aria-label="Loading keys" className="flex flex-col gap-2">
        <Skeleton className="w-24" />
        <Skeleton className="w-full" />
      </div>
    );
  return (
    <div className="flex flex-col gap-3">
      <NativeSelect
        label="API key"
        value={isNew ? newKey : (value ?? '')}
        onChange={(event) => {
          const next = event.target.value;
          setNew(next === newKey);
          choose(next === newKey || next === '' ? null : next);
        }}
        hint="The app gets short-lived tokens under this key, never the key itself. They end with it."
      >
        {!isNew && value === null && <option value="">Choose a key</option>}
        {usable.map((key) => (
          <option key={key.api_key_id} value={key.api_key_id}>
            {optionWords(key, now)}
          </option>
        ))}
        <option value={newKey}>New key for this app</option>
      </NativeSelect>
      {isNew && (
        <Button className="self-start" busy={creating.isPending} onClick={() => creating.mutate()}>
          {creating.isPending ? 'Creating key' : 'Create a key that reads shipments'}
        </Button>
      )}
      {creating.isError && <ProblemNote error={creating.error} />}
    </div>
  );
}

function optionWords(key: WireApiKey, now: number): string {
  const ends = endWords(key, now);
  return [key.name, key.test ? 'test' : null, ends === 'never' ? null : `expires ${ends}`].filter(Boolean).join(' · ');
}
