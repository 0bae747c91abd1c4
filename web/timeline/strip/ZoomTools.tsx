/** Buttons beside the strip: closer, away, all of it, earlier, later, and into the window. */
import { useShortcuts } from '../../keys/shortcuts.ts';
import { Button } from '../../ui/Button.tsx';
import type { IconName } from '../../ui/Icon.tsx';
import type { Span } from '../model/axis.ts';

interface Props {
  zoom: Span | null;
  window: Span | null;
  /** Closer with a factor below 1. */
  onZoom(factor: number): void;
  onPan(by: number): void;
  onAll(): void;
  onInto(): void;
}

const STEP = 2;
const PAN = 0.5;

export function ZoomTools({ zoom, window, onZoom, onPan, onAll, onInto }: Props) {
  useShortcuts({
    'zoom-in': () => onZoom(1 / STEP),
    'zoom-out': () => onZoom(STEP),
    'zoom-all': onAll,
  });
  const whole = zoom === null;
  return (
    <fieldset class="strip-tools">
      <legend class="sr-only">Zoom</legend>
      <Tool icon="plus" name="Zoom in" keys="+" off={false} onClick={() => onZoom(1 / STEP)} />
      <Tool icon="minus" name="Zoom out" keys="-" off={whole} onClick={() => onZoom(STEP)} />
      <Tool icon="whole" name="Show the whole session" keys="0" off={whole} onClick={onAll} />
      <Tool icon="back" name="Earlier" off={whole} onClick={() => onPan(-PAN)} />
      <Tool icon="chevron" name="Later" off={whole} onClick={() => onPan(PAN)} />
      <Tool icon="into" name="Zoom into the window" off={window === null} onClick={onInto} />
    </fieldset>
  );
}

interface ToolProps {
  icon: IconName;
  name: string;
  keys?: string;
  off: boolean;
  onClick(): void;
}

/** Not `disabled`: a button that goes away under the finger takes the focus with it. */
function Tool({ icon, name, keys, off, onClick }: ToolProps) {
  return (
    <Button
      kind="quiet"
      class="strip-tool"
      icon={icon}
      aria-label={name}
      title={keys === undefined ? name : `${name} (${keys})`}
      aria-disabled={off}
      onClick={() => {
        if (!off) onClick();
      }}
    ></Button>
  );
}
