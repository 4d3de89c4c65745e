import { dictionary } from '@zxcvbn-ts/language-common';

const leaked = new Set(dictionary['passwords-common']);

/** True for one of the 49,233 most frequent passwords of public leaks, as zxcvbn-ts ranks them. In lower case. */
export function isLeakedPassword(text: string): boolean {
  return leaked.has(text);
}
