import { z } from 'zod';

/**
 * Schemas that read what a view is given: a field of another type counts as absent, and a list drops the items that do
 * not fit. A view of one release so draws the results of another.
 */
export const lenient = {
  text: z.string().optional().catch(undefined),
  number: z.number().optional().catch(undefined),
  flag: z.boolean().optional().catch(undefined),
  texts: listOf(z.string()),
  counts: z.record(z.string(), z.number()).catch({}),
  listOf,
  group,
};

function listOf<Item extends z.ZodType>(item: Item) {
  return z
    .array(z.unknown())
    .catch([])
    .transform((items) =>
      items.flatMap((one): z.output<Item>[] => {
        const read = item.safeParse(one);
        return read.success ? [read.data] : [];
      }),
    );
}

function group<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.object(shape).optional().catch(undefined);
}
