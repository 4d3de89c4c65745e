/** What a window holds after a take, by the store's clock. */
export type WindowCount = {
  /** Points taken in this window so far, the ones of this call included. */
  consumed: number;
  /** Milliseconds until the window ends. */
  msLeft: number;
};

/** Takes points from the current window of a key, in the store that all processes share. Never refuses: the caller compares with its quota. */
export type TakePoints = (key: string, points: number) => Promise<WindowCount>;

/** The current window of each of these keys, null where none has begun; takes nothing. */
export type ReadCounts = (keys: readonly string[]) => Promise<(WindowCount | null)[]>;

/** The store of counts. */
export type CountStore = { takePoints: TakePoints; readCounts: ReadCounts };
