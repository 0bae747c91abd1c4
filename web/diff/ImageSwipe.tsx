/** Two pictures in one place: the host's left of an edge, the pending one right of it. */
import { useState } from 'preact/hooks';

/** A picture that the browser has read. */
export interface Shape {
  address: string;
  /** In pixels of its own. */
  width: number;
  height: number;
}

/** How high it may be, in parts of the window's height. */
const HIGHEST_VH = 60;

export function ImageSwipe({ host, pending }: { host: Shape; pending: Shape }) {
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
