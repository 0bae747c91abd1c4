/** A click on a line's number puts that line into the address, from where it is marked: a link that can be passed on. */
import { useEffect, useRef } from 'preact/hooks';
import { useApp } from '../../state/app.ts';

/**
 * Gives what puts a line of the file on show into the address. The browser's way back leads to where the user came from,
 * not from line to line.
 */
export function useLineAddress(): (line: number) => void {
  const { route, replace } = useApp();
  return (line) => {
    const now = route.value;
    if (now.view === 'changes' && now.path !== null) replace({ ...now, line });
  };
}

/** One listener for all rows of a table. With `on` false several tables share the page, and its address means none of them. */
export function useLineLink(table: { current: HTMLTableElement | null }, on: boolean): void {
  const address = useLineAddress();
  const link = useRef(address);
  link.current = address;
  useEffect(() => {
    const box = table.current;
    if (!on || box === null) return;
    const onClick = ({ target }: MouseEvent): void => {
      const number = target instanceof Element ? target.closest('td.number') : null;
      const line = number?.closest('tr')?.dataset['line'];
      if (line !== undefined && number?.textContent !== '') link.current(Number(line));
    };
    box.addEventListener('click', onClick);
    return () => box.removeEventListener('click', onClick);
  }, [on]);
}
