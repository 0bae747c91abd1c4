/** Both versions of a picture: side by side, or one over the other with an edge that is moved. */
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { SideName } from '../../shared/api/files.ts';
import type { BinaryDiff } from '../../shared/model/diff.ts';
import { useApp } from '../state/app.ts';
import { createResource } from '../state/resource.ts';
import { visibleText } from '../text/visible.ts';
import { Segmented } from '../ui/Segmented.tsx';

type Mode = 'beside' | 'swipe';
const NAMES: Record<SideName, string> = { host: 'On the host', pending: 'Pending' };

interface Picture {
  /** Null until the browser has read all of it. */
  shape: Shape | null;
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
  const host = usePicture(session, diff, diff.oldBytes === null ? null : 'host');
  const pending = usePicture(session, diff, diff.newBytes === null ? null : 'pending');
  const [under, over] = [pending?.shape ?? null, host?.shape ?? null];
  const settled = [host, pending].every((one) => one === null || one.shape !== null || one.problem !== null);
  return (
    <>
      <section class="images" aria-label="Pictures">
        {host === null || pending === null ? null : (
          <Segmented
            label="How the pictures are compared"
            value={mode}
            options={[
              { value: 'beside', text: 'Side by side' },
              { value: 'swipe', text: 'Swipe', disabled: (host.problem ?? pending.problem) !== null },
            ]}
            onChange={(value) => setMode(value)}
          />
        )}
        {mode === 'swipe' && over !== null && under !== null ? (
          <ImageSwipe host={over} pending={under} />
        ) : (
          <div class="image-pair">
            {host === null ? null : <Shown side="host" picture={host} />}
            {pending === null ? null : <Shown side="pending" picture={pending} />}
          </div>
        )}
      </section>
      {settled ? children : null}
    </>
  );
}

/** Fetched with the tab's credential: an address of our own in `src` would carry none. Null = that side has no file. */
function usePicture(session: string, diff: BinaryDiff, side: SideName | null): Picture | null {
  const { backend } = useApp();
  const resource = useMemo(
    () =>
      createResource((abort) => backend.image(session, { entry: diff.id, side: side ?? 'pending' }, abort)),
    [session, diff, side],
  );
  useEffect(() => {
    if (side !== null) void resource.load();
    return () => resource.stop();
  }, [resource]);
  const blob = resource.data.value;
  const address = useMemo(() => (blob === null ? null : URL.createObjectURL(blob)), [blob]);
  useEffect(() => () => void (address === null ? null : URL.revokeObjectURL(address)), [address]);
  const read = useShape(address);
  if (side === null) return null;
  const broken = read === 'broken' ? 'The browser could not draw it.' : null;
  return {
    shape: read === 'broken' ? null : read,
    problem: resource.error.value?.message ?? broken,
  };
}

/** Read apart from where it is shown: how it is shown may change while it is on its way. Null = not read yet. */
function useShape(address: string | null): Shape | 'broken' | null {
  const [read, setRead] = useState<{ address: string; shape: Shape | 'broken' } | null>(null);
  useEffect(() => {
    if (address === null) return;
    const probe = new Image();
    probe.onload = () =>
      setRead({ address, shape: { address, width: probe.naturalWidth, height: probe.naturalHeight } });
    probe.onerror = () => setRead({ address, shape: 'broken' });
    probe.src = address;
    return () => {
      probe.onload = null;
      probe.onerror = null;
    };
  }, [address]);
  return read?.address === address ? read.shape : null;
}

function Shown({ side, picture: { shape, problem } }: { side: SideName; picture: Picture }) {
  const size = shape === null ? null : `${shape.width} × ${shape.height}`;
  return (
    <figure class="image-shown">
      <figcaption>
        {NAMES[side]} <span class="muted num">{size ?? '\u00a0'}</span>
      </figcaption>
      <div class="image-ground">
        {problem === null ? null : <p class="muted">{visibleText(problem)}</p>}
        {shape === null ? null : (
          <img
            src={shape.address}
            width={shape.width}
            height={shape.height}
            alt={`${NAMES[side]}, ${size}`}
          />
        )}
      </div>
    </figure>
  );
}

/** A picture that the browser has read. */
interface Shape {
  address: string;
  /** In pixels of its own. */
  width: number;
  height: number;
}

/** How high it may be, in parts of the window's height. */
const HIGHEST_VH = 60;

function ImageSwipe({ host, pending }: { host: Shape; pending: Shape }) {
  const [at, setAt] = useState(50);
  // Both at one scale from one corner: what is at one place in both is at one place here.
  const width = Math.max(host.width, pending.width);
  const height = Math.max(host.height, pending.height);
  const part = (one: Shape) => ({
    width: `${(one.width / width) * 100}%`,
    height: `${(one.height / height) * 100}%`,
  });
  const drag = (event: PointerEvent): void => {
    if (!(event.currentTarget instanceof HTMLElement) || (event.buttons & 1) === 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const { left, width: wide } = event.currentTarget.getBoundingClientRect();
    setAt(Math.round(Math.min(1, Math.max(0, (event.clientX - left) / wide)) * 100));
  };
  return (
    <div class="swipe">
      <div class="image-ground">
        <div
          class="swipe-stage"
          style={{
            aspectRatio: `${width} / ${height}`,
            width: `min(100%, ${width}px, ${(HIGHEST_VH * width) / height}vh)`,
          }}
          onPointerDown={drag}
          onPointerMove={drag}
        >
          <div class="swipe-side swipe-under" style={{ clipPath: `inset(0 0 0 ${at}%)` }}>
            <img src={pending.address} alt="Pending" draggable={false} style={part(pending)} />
          </div>
          <div class="swipe-side swipe-over" style={{ clipPath: `inset(0 ${100 - at}% 0 0)` }}>
            <img src={host.address} alt="On the host" draggable={false} style={part(host)} />
          </div>
          <div class="swipe-line" style={{ left: `${at}%` }} />
        </div>
      </div>
      <label class="swipe-edge">
        <span>On the host</span>
        <input
          type="range"
          min="0"
          max="100"
          value={at}
          aria-label="Edge between the host’s picture, left of it, and the pending one"
          aria-valuetext={`${at} % from the left`}
          onInput={(event) => setAt(event.currentTarget.valueAsNumber)}
        />
        <span>Pending</span>
      </label>
    </div>
  );
}
