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
 * Clauses that are cut out before the meanings that they would feign are looked for.
 *
 * - `not_yet`: a delivery that has not come yet, or that a carrier has calculated.
 * - `forecast`: a delivery to come.
 * - `unfinished`: anything else that has not happened, or may happen.
 * - `undelivered`: a delivery that is denied, which is an attempt.
 * - `handed_over`: delivered to the next carrier or facility, which is a step.
 * - `found`: beside a loss, its end.
 */
export type ClauseKind = 'not_yet' | 'forecast' | 'unfinished' | 'undelivered' | 'handed_over' | 'found';

/** The patterns of one language, as sources of regular expressions over text in lower case without accents. */
export type LanguageWords = {
  readonly [meaning in StatusMeaning | ClauseKind]?: readonly (RegExp | string)[];
};
