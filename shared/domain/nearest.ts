/** The names that `word` may mean, nearest first, at most `max`: those close to it, and those that contain it. */
export function nearestNames(word: string, names: readonly string[], max: number): string[] {
  const sought = plain(word);
  if (sought === '') return [];
  const ranked = names
    .map((name, order) => ({
      name,
      order,
      distance: editDistance(sought, plain(name)),
      isPart: plain(name).includes(sought),
    }))
    .filter(({ distance, isPart }) => isPart || distance <= tolerance(sought));
  ranked.sort((left, right) => left.distance - right.distance || left.order - right.order);
  return ranked.slice(0, max).map(({ name }) => name);
}

/**
 * The name that `word` most likely means. Null: none is close. More edits than about a third of the word make it
 * another word.
 */
export function nearestName(word: string, names: readonly string[]): string | null {
  const sought = plain(word);
  if (sought === '') return null;
  let best: string | null = null;
  let bestDistance = tolerance(sought) + 1;
  for (const name of names) {
    const candidate = plain(name);
    if (Math.abs(candidate.length - sought.length) >= bestDistance) continue;
    const distance = editDistance(sought, candidate);
    if (distance < bestDistance && distance < candidate.length) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

/** Damerau-Levenshtein distance (optimal string alignment): insert, delete, replace, or swap two neighbors. */
export function editDistance(left: string, right: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const replaceCost = left[row - 1] === right[column - 1] ? 0 : 1;
      let distance = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + replaceCost,
      );
      const swapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (swapped) distance = Math.min(distance, at(beforePrevious, column - 2) + 1);
      current.push(distance);
    }
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, right.length);
}

function at(row: number[], column: number): number {
  return row[column] ?? 0;
}

/** Untrusted words are cut: the cost grows with the product of both lengths. */
function plain(word: string): string {
  return word
    .slice(0, 64)
    .toLowerCase()
    .replace(/[\s_-]/g, '');
}

function tolerance(word: string): number {
  if (word.length <= 4) return 1;
  return Math.max(2, Math.floor(word.length * 0.35));
}
