const minPauseMs = 1000;
const maxPauseMs = 10_000;
/** Answers of a proxy in front of an API that does not run. */
const proxyProblems = [502, 503, 504];

type Options = {
  /** Called once loading has failed because Landfall does not answer. */
  onWaiting?: () => void;
  isAnswering?: () => Promise<boolean>;
  pause?: (ms: number) => Promise<void>;
};

/**
 * Loads a part of the dashboard that is not in memory yet. While Landfall does not answer, it is tried again. Throws if
 * Landfall answers without the file twice: a newer build has replaced it.
 */
export async function loadModule<Module>(
  load: () => Promise<Module>,
  { onWaiting, isAnswering = isLandfallAnswering, pause = pauseFor }: Options = {},
): Promise<Module> {
  let hasAnswered = false;
  for (let pauseMs = minPauseMs; ; ) {
    try {
      return await load();
    } catch (error) {
      if (await isAnswering()) {
        // It may have come back since the file was requested.
        if (hasAnswered) throw error;
        hasAnswered = true;
        continue;
      }
      onWaiting?.();
      await pause(pauseMs);
      pauseMs = Math.min(maxPauseMs, pauseMs * 2);
    }
  }
}

async function isLandfallAnswering(): Promise<boolean> {
  return fetch('/livez', { cache: 'no-store' }).then(
    ({ status }) => !proxyProblems.includes(status),
    () => false,
  );
}

/** Ends early when the browser is online again. */
function pauseFor(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    window.addEventListener('online', end);
  });
}
