import { useSignal } from '@preact/signals';
import { useCopy } from '../state/app.ts';
import { set } from '../state/resource.ts';
import { visibleText } from '../text/visible.ts';
import { Button } from './Button.tsx';

/** Where the browser refuses, the text is shown for copying by hand. */
export function CopyCommand({ text }: { text: string }) {
  const toClipboard = useCopy();
  const state = useSignal<'idle' | 'copied' | 'shown'>('idle');
  const copy = async (): Promise<void> =>
    set(state, (await toClipboard(text, 'the command')) ? 'copied' : 'shown');
  if (state.value === 'shown') return <code>{visibleText(text)}</code>;
  return (
    <Button title={visibleText(text)} onClick={() => void copy()}>
      {state.value === 'copied' ? 'Copied' : 'Copy command'}
    </Button>
  );
}
