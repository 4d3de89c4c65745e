import { connectionWaitMs } from './queue-settings.ts';

/** Longer than a process that lost its connections takes for the next one. */
const absenceMs = connectionWaitMs + 1000;

/** Since when processes are missing, in checks that follow each other closely. Its clock only goes forward. */
export class Absences {
  readonly #missingSince = new Map<string, number>();
  #answeredMs = Number.NEGATIVE_INFINITY;

  /**
   * Returns the processes that were missing in all checks of a time that is long enough for them to come back. A gap
   * between the checks shows nothing about that time: this process may have been without the database as well.
   */
  longMissing(askedMs: number): string[] {
    if (askedMs - this.#answeredMs >= absenceMs) this.forget();
    return [...this.#missingSince].filter(([, since]) => askedMs - since >= absenceMs).map(([instance]) => instance);
  }

  note(missing: readonly string[], answeredMs: number): void {
    const before = new Map(this.#missingSince);
    this.#missingSince.clear();
    for (const instance of missing) this.#missingSince.set(instance, before.get(instance) ?? answeredMs);
    this.#answeredMs = answeredMs;
  }

  forget(): void {
    this.#missingSince.clear();
  }
}
