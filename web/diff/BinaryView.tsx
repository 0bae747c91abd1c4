/** A binary file: sizes, hashes, the first bytes; pictures side by side or overlaid. */

import { useEffect, useState } from 'preact/hooks';
import type { SideName } from '../../shared/api/contract.ts';
import type { BinaryDiff } from '../../shared/model/diff.ts';
import { RASTER } from '../../shared/text/sniff.ts';
import { useApp } from '../state/app.ts';
import { hasAnswered, type Resource, useResource } from '../state/resource.ts';
import { useSession } from '../state/session.ts';
import * as format from '../text/format.ts';
import { visibleText } from '../text/visible.ts';
import { LinkButton } from '../ui/Button.tsx';
import { Panel, scrolls } from '../ui/Panel.tsx';
import { Segmented } from '../ui/Segmented.tsx';

const NAMES: Record<SideName, string> = { host: 'On the host', pending: 'Pending' };

export function BinaryView({ diff }: { diff: BinaryDiff }) {
  if (!RASTER.some((type) => type === diff.mime)) return <BinaryFacts diff={diff} />;
  return <Pictures key={`${diff.id} ${diff.etag}`} diff={diff} />;
}

function BinaryFacts({ diff }: { diff: BinaryDiff }) {
  const [open, setOpen] = useState(false);
  const sides = [
    { name: NAMES.host, bytes: diff.oldBytes, sha256: diff.oldSha256, head: diff.oldHead },
    { name: NAMES.pending, bytes: diff.newBytes, sha256: diff.newSha256, head: diff.newHead },
  ];
  const heads = sides.filter(({ head }) => head !== '');
  return (
    <Panel title={diff.mime === null ? 'Binary file' : `Binary file (${diff.mime})`} wide>
      <table class="facts">
        <thead>
          <tr>
            <th scope="col">Side</th>
            <th scope="col">Size</th>
            <th scope="col">SHA-256</th>
          </tr>
        </thead>
        <tbody>
          {sides.map(({ name, bytes, sha256 }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{bytes === null ? 'not there' : format.plural(bytes, 'byte')}</td>
              <td class="mono path">{sha256 ?? '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {heads.length === 0 ? null : (
        <LinkButton aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Hide the first bytes' : 'Show the first bytes'}
        </LinkButton>
      )}
      {(open ? heads : []).map(({ name, head }) => (
        <figure key={name}>
          <figcaption>
            {name}, first {format.plural(head.length / 2, 'byte')}
          </figcaption>
          <pre class="excerpt hex" {...scrolls}>
            {hexRows(head).join('\n')}
          </pre>
        </figure>
      ))}
    </Panel>
  );
}

const ROW = 16;

export function hexRows(hex: string): string[] {
  const rows: string[] = [];
  for (let at = 0; at * 2 < hex.length; at += ROW) {
    const bytes = hex.slice(at * 2, (at + ROW) * 2).match(/[0-9a-f]{2}/g) ?? [];
    const ascii = bytes.map((byte) => {
      const code = Number.parseInt(byte, 16);
      return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : '.';
    });
    const columns = bytes.join(' ').padEnd(ROW * 3 - 1);
    rows.push(`${at.toString(16).padStart(6, '0')}  ${columns}  ${ascii.join('')}`);
  }
  return rows;
}

interface Picture {
  address: string;
  width: number;
  height: number;
}

function Pictures({ diff }: { diff: BinaryDiff }) {
  const [mode, setMode] = useState<'beside' | 'swipe'>('beside');
  const host = usePicture(diff, 'host');
  const pending = usePicture(diff, 'pending');
  const sides = {
    ...(diff.oldBytes === null ? {} : { host }),
    ...(diff.newBytes === null ? {} : { pending }),
  };
  const all = Object.values(sides);
  const [under, over] = [pending.data.value, host.data.value];
  return (
    <>
      <section class="images" aria-label="Pictures">
        {all.length < 2 ? null : (
          <Segmented
            label="How the pictures are compared"
            value={mode}
            options={[
              { value: 'beside', text: 'Side by side' },
              { value: 'swipe', text: 'Swipe', disabled: all.some(({ error }) => error.value !== null) },
            ]}
            onChange={(value) => setMode(value)}
          />
        )}
        {mode === 'swipe' && over !== null && under !== null ? (
          <ImageSwipe host={over} pending={under} />
        ) : (
          <div class="image-pair">
            {Object.entries(sides).map(([side, picture]) => (
              <Shown key={side} name={NAMES[side as SideName]} picture={picture} />
            ))}
          </div>
        )}
      </section>
      {/* Only when the pictures have their final height, so that it does not move. */}
      {all.every(hasAnswered) ? <BinaryFacts diff={diff} /> : null}
    </>
  );
}

/** Fetched, since `src` would send no credential. Null where that side has no file. */
function usePicture(diff: BinaryDiff, side: SideName): Resource<Picture | null> {
  const { backend } = useApp();
  const { id } = useSession();
  const isThere = (side === 'host' ? diff.oldBytes : diff.newBytes) !== null;
  const picture = useResource(
    async (abort) =>
      isThere ? await readPicture(await backend.image(id, { entry: diff.id, side }, abort)) : null,
    [id, diff, side],
  );
  const address = picture.data.value?.address;
  useEffect(() => () => void (address === undefined ? null : URL.revokeObjectURL(address)), [address]);
  return picture;
}

/** Decoded before it is shown: the way of showing it may change meanwhile. */
async function readPicture(blob: Blob): Promise<Picture> {
  const image = new Image();
  image.src = URL.createObjectURL(blob);
  try {
    await image.decode();
  } catch {
    URL.revokeObjectURL(image.src);
    throw new Error('The browser could not draw it.');
  }
  return { address: image.src, width: image.naturalWidth, height: image.naturalHeight };
}

function Shown({ name, picture }: { name: string; picture: Resource<Picture | null> }) {
  const found = picture.data.value;
  const problem = picture.error.value;
  const size = found === null ? null : `${found.width} × ${found.height}`;
  return (
    <figure class="image-shown">
      <figcaption>
        {name} <span class="muted num">{size ?? '\u00a0'}</span>
      </figcaption>
      <div class="image-ground framed">
        {problem === null ? null : <p class="muted">{visibleText(problem.message)}</p>}
        {found === null ? null : (
          <img src={found.address} width={found.width} height={found.height} alt={`${name}, ${size}`} />
        )}
      </div>
    </figure>
  );
}

const HIGHEST_VH = 60;

function ImageSwipe({ host, pending }: Record<SideName, Picture>) {
  const [at, setAt] = useState(50);
  // One scale and one corner for both: equal positions cover each other.
  const width = Math.max(host.width, pending.width);
  const height = Math.max(host.height, pending.height);
  const part = (one: Picture) => ({
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
    <div class="swipe stack">
      <div class="image-ground framed">
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
      <label class="swipe-edge flex muted">
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
