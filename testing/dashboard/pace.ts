/** When a recording's answers come. In the tests of what moves they come one by one, and the page is drawn between them. */
const STEP_MS = 25;

/** Resolves when the answer to this method may come. */
export type Pace = (method: string) => Promise<void>;

const steady: Pace = () => new Promise((resolve) => setTimeout(resolve, STEP_MS));

const painted = (): Promise<void> =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));

/** One after the other, in the order in which they are asked for; that of `last` when nothing else is to be answered. */
function oneByOne(last: string): Pace {
  const waiting: { method: string; go: () => void }[] = [];
  const next = (): (() => void) | undefined => {
    const at = waiting.findIndex(({ method }) => method !== last);
    return waiting.splice(Math.max(at, 0), 1)[0]?.go;
  };
  const asked = new Set<string>();
  let busy = false;
  const go = async (): Promise<void> => {
    busy = true;
    while (waiting.length > 0) {
      await painted();
      next()?.();
    }
    busy = false;
    // A test waits for this: everything that was asked for has been answered and drawn.
    await painted();
    if (!busy) document.documentElement.dataset['answered'] = '';
  };
  return (method) =>
    new Promise((resolve) => {
      delete document.documentElement.dataset['answered'];
      // And for this, where something is only asked for after a pause.
      document.documentElement.dataset['asked'] = [...asked.add(method)].join(' ');
      waiting.push({ method, go: resolve });
      if (!busy) void go();
    });
}

/** With the name of a method its answer comes last; null = each takes a moment. */
export function paceOf(last: string | null): Pace {
  return last === null ? steady : oneByOne(last);
}
