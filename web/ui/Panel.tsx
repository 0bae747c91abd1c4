/** Parts of a page: a framed one, one under a heading, a line of facts, a box that scrolls. */
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

export function Section({
  title,
  about,
  children,
}: {
  title: string;
  about?: string;
  children: ComponentChildren;
}) {
  return (
    <section class="detail-section">
      <h2>{title}</h2>
      {about === undefined ? null : <p class="muted section-about">{about}</p>}
      {children}
    </section>
  );
}

/** A line of a list of facts. */
export function Fact(props: { name: string; mono?: boolean; children: ComponentChildren }) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd class={props.mono ? 'mono' : undefined}>{props.children}</dd>
    </div>
  );
}

export const scrolls = { tabIndex: 0 } as const;
