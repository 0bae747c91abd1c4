/** Both versions of a picture: side by side, or one over the other with an edge that is moved. */
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { SideName } from '../../shared/api/files.ts';
import type { BinaryDiff } from '../../shared/changes/diff-model.ts';
import { visibleText } from '../lib/visible.ts';
import { useApp } from '../state/app.ts';
import { createResource } from '../state/resource.ts';
import { Segmented } from './Segmented.tsx';

type Mode = 'beside' | 'swipe';
const MODES: { value: Mode; text: string }[] = [
  { value: 'beside', text: 'Side by side' },
  { value: 'swipe', text: 'Swipe' },
];
const NAMES: Record<SideName, string> = { host: 'On the host', pending: 'Pending' };

interface Picture {
  address: string | null;
  problem: string | null;
}

interface Props {
  diff: BinaryDiff;
  session: string;
  /** Stands below them: drawn when they are as high as they get, so that it does not move. */
  children: ComponentChildren;
}

export function ImageDiff({ diff, session, children }: Props) {
  const [mode, setMode] = useState<Mode>('beside');
  const [settled, setSettled] = useState<ReadonlySet<SideName>>(new Set());
  const settle = (side: SideName) => (): void => setSettled((sides) => new Set([...sides, side]));
  const host = usePicture(session, diff, diff.oldBytes === null ? null : 'host');
  const pending = usePicture(session, diff, diff.newBytes === null ? null : 'pending');
  const both = host?.address != null && pending?.address != null;
  const wanted = (host === null ? 0 : 1) + (pending === null ? 0 : 1);
  return (
    <>
      <section class="images" aria-label="Pictures">
        {diff.oldBytes !== null && diff.newBytes !== null ? (
          <Segmented
            label="How the pictures are compared"
            value={mode}
            options={MODES}
            onChange={(value) => setMode(value)}
          />
        ) : null}
        {mode === 'swipe' && both ? (
          <Swipe host={host.address ?? ''} pending={pending.address ?? ''} />
        ) : (
          <div class="image-pair">
            {host === null ? null : <Shown side="host" picture={host} onSettled={settle('host')} />}
            {pending === null ? null : (
              <Shown side="pending" picture={pending} onSettled={settle('pending')} />
            )}
          </div>
        )}
      </section>
      {settled.size < wanted ? null : children}
    </>
  );
}

/** Fetched with the tab's credential: an address of our own in `src` would carry none. Null = that side has no file. */
function usePicture(session: string, diff: BinaryDiff, side: SideName | null): Picture | null {
  const { backend } = useApp();
  const resource = useMemo(
    () => createResource((abort) => backend.image(session, diff.id, side ?? 'pending', abort)),
    [session, diff, side],
  );
  useEffect(() => {
    if (side !== null) void resource.load();
    return () => resource.stop();
  }, [resource]);
  const blob = resource.data.value;
  const address = useMemo(() => (blob === null ? null : URL.createObjectURL(blob)), [blob]);
  useEffect(() => () => void (address === null ? null : URL.revokeObjectURL(address)), [address]);
  if (side === null) return null;
  return { address, problem: resource.error.value?.message ?? null };
}

interface ShownProps {
  side: SideName;
  picture: Picture;
  /** It is drawn, or never will be. */
  onSettled(): void;
}

function Shown({ side, picture: { address, problem }, onSettled }: ShownProps) {
  const [size, setSize] = useState('');
  const [broken, setBroken] = useState(false);
  const text = problem ?? (broken ? 'The browser could not draw it.' : null);
  useEffect(() => {
    if (text !== null || size !== '') onSettled();
  }, [text, size]);
  return (
    <figure class="image-shown">
      <figcaption>
        {NAMES[side]} <span class="muted num">{size === '' ? '\u00a0' : size}</span>
      </figcaption>
      <div class="image-ground">
        {text === null ? null : <p class="muted">{visibleText(text)}</p>}
        {address === null || text !== null ? null : (
          <img
            src={address}
            alt={`${NAMES[side]}${size === '' ? '' : `, ${size}`}`}
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
              setSize(`${naturalWidth} × ${naturalHeight}`)
            }
            onError={() => setBroken(true)}
          />
        )}
      </div>
    </figure>
  );
}

function Swipe({ host, pending }: { host: string; pending: string }) {
  const [at, setAt] = useState(50);
  return (
    <div class="swipe">
      <div class="image-ground swipe-ground">
        <img src={pending} alt="Pending" />
        <img
          src={host}
          alt="On the host, over it"
          class="swipe-over"
          style={{ clipPath: `inset(0 ${100 - at}% 0 0)` }}
        />
      </div>
      <label class="swipe-edge">
        <span>On the host</span>
        <input
          type="range"
          min="0"
          max="100"
          value={at}
          aria-label="How much of the picture on the host covers the pending one"
          onInput={(event) => setAt(event.currentTarget.valueAsNumber)}
        />
        <span>Pending</span>
      </label>
    </div>
  );
}
