/** A framed part of a page with a heading of its own. */
import type { ComponentChildren } from 'preact';

interface Props {
  title: string;
  wide?: boolean;
  /** Below the heading of what it stands in; `h2` where it is the first. */
  heading?: 'h2' | 'h3';
  children?: ComponentChildren;
}

export function Panel({ title, wide = false, heading: Heading = 'h3', children }: Props) {
  return (
    <div class={wide ? 'panel panel-wide' : 'panel'}>
      <Heading>{title}</Heading>
      {children}
    </div>
  );
}
