/** Meanings of the words of a status. The order is that of the rules: the first match counts. */
export const statusMeanings = [
  'nothing',
  'returned',
  'return_started',
  'lost',
  'cancelled',
  'collected',
  'customs_released',
  'duties_due',
  'customs',
  'delivery_attempted',
  'wrong_way',
  'out_for_delivery',
  'available_for_pickup',
  'problem',
  'redirected',
  'delivered',
  'announced',
  'picked_up',
  'moving',
] as const;

/**
 * `nothing`: an order, a notification or a correction. `collected`: by the recipient, which is a delivery. `wrong_way`:
 * delivered to the wrong place, which is a problem.
 */
export type StatusMeaning = (typeof statusMeanings)[number];

/**
 * The patterns of one language, as sources of regular expressions over text in lower case without accents.
 * `forecast` is a delivery to come, and `unfinished` what has not happened yet: both are cut out before the meanings that
 * they would feign are looked for.
 */
export type LanguageWords = {
  readonly [meaning in StatusMeaning | 'forecast' | 'unfinished']?: readonly (RegExp | string)[];
};
