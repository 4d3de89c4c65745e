type Apart<Item> = {
  items: readonly Item[];
  act: (item: Item) => Promise<void>;
  /** Once it is aborted, no further item begins. */
  signal?: AbortSignal | undefined;
};

/**
 * Acts on one item after another. One that fails does not hold up those after it: the first error is thrown once all of
 * them had their turn.
 */
export async function actOnEach<Item>({ items, act, signal }: Apart<Item>): Promise<void> {
  const errors: unknown[] = [];
  for (const item of items) {
    if (signal?.aborted === true) break;
    try {
      await act(item);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
