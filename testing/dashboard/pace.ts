/** When answers come. In tests of moving content they come one by one, and the page is drawn between them. */
const STEP_MS = 25;

/** Resolves when the answer to this method may come. */
export type Pace = (method: string) => Promise<void>;

const steady: Pace = () => new Promise((resolve) => setTimeout(resolve, STEP_MS));

const painted = (): Promise<void> =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));

/** In the order of the questions; the answer of `last` comes when no other is due. */
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
    // Tests wait for this: everything asked for is answered and drawn.
    await painted();
    if (!busy) document.documentElement.dataset['answered'] = '';
  };
  return (method) =>
    new Promise((resolve) => {
      delete document.documentElement.dataset['answered'];
      // Tests wait for this where a question comes only after a pause.
      document.documentElement.dataset['asked'] = [...asked.add(method)].join(' ');
      waiting.push({ method, go: resolve });
      if (!busy) void go();
    });
}

/** `last`: the method whose answer comes last; null = each takes a moment. */
export function paceOf(last: string | null): Pace {
  return last === null ? steady : oneByOne(last);
}
