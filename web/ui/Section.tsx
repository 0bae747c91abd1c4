/** A part of a page under a heading of its own. */
import type { ComponentChildren } from 'preact';

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
