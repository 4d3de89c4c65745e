import { wordOf } from '../../parts/words/code-words.ts';
import type { ToolArgs } from '../host.ts';

/** Arguments that choose how much is shown, not which shipments. */
const quiet = ['limit', 'cursor', 'sort', 'group_by', 'response_format'];
const maxChars = 60;

/** Lists the arguments of a list as words: `Status: In transit`, `Destination: NLRTM`. */
export function askedWords(args: ToolArgs): string[] {
  return Object.entries(args).flatMap(([name, value]) => {
    if (quiet.includes(name) || value === null || value === '') return [];
    const values = (Array.isArray(value) ? value : [value]).filter((one) => typeof one !== 'object');
    if (values.length === 0 || value === false) return [];
    if (value === true) return [wordOf(name)];
    const words = values.map((one) => (isCode(name) ? wordOf(String(one)) : String(one))).join(', ');
    return [`${wordOf(name)}: ${shortened(words)}`];
  });
}

/** Arguments whose values are codes of the API. */
function isCode(name: string): boolean {
  return ['status', 'exception', 'tracking_state', 'free_time', 'transport_mode'].includes(name);
}

function shortened(text: string): string {
  const letters = [...text];
  return letters.length <= maxChars ? text : `${letters.slice(0, maxChars - 1).join('')}…`;
}
