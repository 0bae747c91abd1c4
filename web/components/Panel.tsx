/** A framed part of a page with a heading of its own. */
import type { ComponentChildren } from 'preact';

interface Props {
  title: string;
  wide?: boolean;
  children?: ComponentChildren;
}

export function Panel({ title, wide = false, children }: Props) {
  return (
    <div class={wide ? 'panel panel-wide' : 'panel'}>
      <h3>{title}</h3>
      {children}
    </div>
  );
}
